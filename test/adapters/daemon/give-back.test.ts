import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { createGiveBack } from '../../../src/adapters/daemon/give-back.ts';

const MIB = 2 ** 20;

test('memory is given back once a third more is taken than was kept, and not again at once', () => {
  let [taken, now, collected] = [20 * MIB, 0, 0];
  const collect = () => {
    collected += 1;
    taken = 30 * MIB;
  };
  const giveBack = createGiveBack({ collect, takenBytes: () => taken, elapsedMs: () => now });
  const after = (ms: number, bytes: number, nextInMs = 10_000) => {
    now += ms;
    taken = bytes;
    giveBack({ nextInMs });
    return collected;
  };
  expect(after(60_000, 27 * MIB)).toBe(0);
  expect(after(10_000, 28 * MIB)).toBe(1);
  // What is kept grew: so does what may come beside it.
  expect(after(60_000, 39 * MIB)).toBe(1);
  expect(after(1000, 40 * MIB)).toBe(2);
  expect(after(9000, 90 * MIB)).toBe(2);
  expect(after(1000, 90 * MIB)).toBe(3);
  // Before a long pause less is worth it.
  expect(after(60_000, 34 * MIB, 59_999)).toBe(3);
  expect(after(60_000, 33 * MIB, 60_000)).toBe(3);
  expect(after(60_000, 34 * MIB, 60_000)).toBe(4);
  // Once less is kept, less may come beside it.
  expect(after(60_000, 16 * MIB)).toBe(4);
  expect(after(60_000, 23 * MIB)).toBe(4);
  expect(after(60_000, 24 * MIB)).toBe(5);
});

test('V8 really does it', () => {
  let now = 0;
  const giveBack = createGiveBack({ elapsedMs: () => now });
  const garbage: { at: number }[][] = [];
  const used = () => getHeapStatistics().used_heap_size;
  const before = used();
  while (used() < before * 2 + 40 * MIB) garbage.push(Array.from({ length: 50_000 }, (_, at) => ({ at })));
  garbage.length = 0;
  now = 60_000;
  giveBack({ nextInMs: 10_000 });
  expect(used()).toBeLessThan(before + 20 * MIB);
});

test('pages of which half is used do not stay', () => {
  let taken = 0;
  let now = 0;
  const giveBack = createGiveBack({ takenBytes: () => taken, elapsedMs: () => now });
  const giveBackNow = () => {
    now += 60_000;
    taken += 1000 * MIB;
    giveBack({ nextInMs: 10_000 });
  };
  const room = () => {
    const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
    return (old?.space_size ?? 0) - (old?.space_used_size ?? 0);
  };
  const all = Array.from({ length: 600_000 }, (_, at) => ({ at, of: at, a: at, b: at }));
  giveBackNow();
  const kept = all.filter(({ at }) => at % 2 === 0);
  all.length = 0;
  giveBackNow();
  const before = room();
  for (let round = 0; round < 4; round += 1) giveBackNow();
  expect(room()).toBeLessThan(before - 8 * MIB);
  expect(kept).toHaveLength(300_000);
});
