import { expect, test } from 'vitest';
import type { Recollection, RememberedPane } from '../../../src/core/memory/recollection.ts';
import { seldomSaved } from '../../../src/engine/daemon/seldom-saved.ts';

const memory = (awakeMs: number, pane: Partial<RememberedPane> = {}) =>
  ({ awakeMs, servers: { s: { sessions: { one: { panes: { '%1': pane } } } } } }) as unknown as Recollection;

test('saves the first, then now and then, and at the end what was held back', () => {
  const saved: number[] = [];
  const store = seldomSaved(
    {
      load: () => ({ value: memory(1) }),
      save: ({ awakeMs }) => {
        saved.push(awakeMs);
        return null;
      },
    },
    1000,
  );
  expect(store.load().value?.awakeMs).toBe(1);
  for (const at of [0, 400, 999, 1000, 1500]) store.save(memory(at));
  expect(saved).toEqual([0, 1000]);
  store.flush();
  store.flush();
  expect(saved).toEqual([0, 1000, 1500]);
});

test('S36: a disk that takes nothing is told with every look until it does', () => {
  let problem: string | null = 'full';
  const store = seldomSaved({ load: () => ({ value: null }), save: () => problem }, 1000);
  expect([store.save(memory(0)), store.save(memory(10))]).toEqual(['full', 'full']);
  problem = null;
  expect([store.save(memory(1000)), store.save(memory(1010))]).toEqual([null, null]);
});

test('laws 1 and 2: saves at once what ends a completion or makes a shell a person’s', () => {
  const input = { pid: 9, startTicks: 90, program: 'bash', observedAt: 1, turns: '1', readAt: 1 };
  const steps: Partial<RememberedPane>[] = [
    { word: { at: 1 }, input },
    { word: { at: 1, restedAt: 2 } },
    { word: { at: 1, restedAt: 2, used: 'typed' } },
    { entered: 'something' },
    { agentSeen: 'claude', input },
  ];
  let problem: string | null = null;
  const saved: number[] = [];
  const save = ({ awakeMs }: Recollection) => {
    saved.push(awakeMs);
    return problem;
  };
  const store = seldomSaved({ load: () => ({ value: null }), save }, 1000);
  store.save(memory(0));
  steps.forEach((pane, at) => {
    store.save(memory(10 + at, pane));
    store.save(memory(20 + at, pane));
  });
  expect(saved).toEqual([0, 11, 12, 13, 14]);
  problem = 'full';
  store.save(memory(30, { entered: 'again' }));
  store.save(memory(31, { entered: 'again' }));
  expect(saved.slice(5)).toEqual([30, 31]);
});
