import { expect, it } from 'vitest';
import type { ScreenSighting } from '../../../src/core/sight/sighting.ts';
import { screenMarks } from '../../../src/engine/reaper/screen-marks.ts';
import { session } from '../../core/reaper/rounds.ts';
import { idleAgent, onPane } from '../../support/evidence.ts';

const both = session('both', [
  ...idleAgent(),
  ...onPane('%2', idleAgent()).filter((piece) => 'paneId' in piece),
]);
const one = session('one', onPane('%3', idleAgent()));
const far = session('far', idleAgent(), { server: { ...one.server, socketPath: '/tmp/other' } });

type Drawn = Partial<Extract<ScreenSighting, { state: 'captured' }>>;
const drawn = (paneId: string, over: Drawn = {}): ScreenSighting => ({
  ...{ state: 'captured', paneId, observedAt: 1, lines: ['> '], styled: ['> '] },
  cursor: { x: 2, y: 0, width: 80 },
  ...over,
});

async function marksWith(change: (paneId: string) => ScreenSighting) {
  const calls: string[] = [];
  const capture = async (socketPath: string, paneIds: readonly string[]) => {
    calls.push(`${socketPath} ${paneIds.join(',')}`);
    return paneIds.map(change);
  };
  return { marks: await screenMarks({ capture }, [both, one, far]), calls };
}

it('S24: tells screens apart byte for byte, whatever tmux says of output; one call for each server', async () => {
  const { marks, calls } = await marksWith((paneId) => drawn(paneId, { observedAt: 7 }));
  expect(calls).toEqual(['/tmp/tmux-0/default %1,%2,%3', '/tmp/other %1']);
  expect((await marksWith((paneId) => drawn(paneId))).marks).toEqual(marks);
  const changes: Drawn[] = [{ styled: ['\u001b[1m> '] }, { lines: ['>'] }, { cursor: null }];
  for (const change of changes) {
    const other = await marksWith((paneId) => (paneId === '%2' ? drawn(paneId, change) : drawn(paneId)));
    expect(other.marks.get(both.key)).not.toBe(marks.get(both.key));
    expect(other.marks.get(one.key)).toBe(marks.get(one.key));
  }
});

it('S33: a screen that was not captured is none', async () => {
  const gone = (paneId: string): ScreenSighting =>
    paneId === '%2' ? { state: 'absent', paneId, observedAt: 1 } : drawn(paneId);
  const { marks } = await marksWith(gone);
  expect(marks.get(both.key)).toBeNull();
  expect(marks.get(one.key)).not.toBeNull();
  const { marks: fewer } = { marks: await screenMarks({ capture: async () => [] }, [one]) };
  expect(fewer.get(one.key)).toBeNull();
});
