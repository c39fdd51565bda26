import { expect, test } from 'vitest';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { isStillSaid, spokenPanes } from '../../../src/engine/act/spoken-panes.ts';

const glance = { pid: 10, startTicks: 7, program: 'bash', observedAt: 1, turns: '7 4 1', readAt: 1000 };

function session(readAt: number): SessionEntry {
  const input = { ...glance, readAt };
  const evidence = [{ kind: 'history', paneId: '%1', input }];
  return { panes: [{ paneId: '%1', pid: 10, activity: 'none' }], evidence } as unknown as SessionEntry;
}
const said = (readAt: number, fromPane: string | null) => spokenPanes(session(readAt), fromPane, 5);

test('law 2: a completion records the shell, and typed in that very shell the last read of its terminal', () => {
  expect(said(1000, null)).toMatchObject([{ input: glance }]);
  expect(said(1000, '%1')).toMatchObject([{ input: { ...glance, turns: '' } }]);
});

test('story 8: one that is typed again counts from then on; said again by others it is the same', () => {
  const known = said(1000, '%1');
  const isSame = (readAt: number) =>
    said(readAt, '%1').map((one) => isStillSaid(one, known, session(readAt)));
  expect([isSame(1000), isSame(1016)]).toEqual([[true], [false]]);
});
