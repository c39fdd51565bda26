import { expect, test } from 'vitest';
import type { Recollection } from '../../../src/core/recollection.ts';
import { seldomSaved } from '../../../src/engine/daemon/seldom-saved.ts';

const memory = (awakeMs: number) => ({ awakeMs }) as Recollection;

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
