import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { createGiveBack } from '../../../src/adapters/daemon/give-back.ts';

const MIB = 2 ** 20;

test('memory is given back once half as much is garbage as is kept, and not again at once', () => {
  let [used, now, collected] = [20 * MIB, 0, 0];
  const collect = () => {
    collected += 1;
    used = 30 * MIB;
  };
  const giveBack = createGiveBack({ collect, usedBytes: () => used, elapsedMs: () => now });
  const after = (ms: number, bytes: number, nextInMs = 10_000) => {
    now += ms;
    used = bytes;
    giveBack({ nextInMs });
    return collected;
  };
  expect(after(60_000, 31 * MIB)).toBe(0);
  expect(after(10_000, 32 * MIB)).toBe(1);
  // What is kept grew: so does what may come beside it.
  expect(after(60_000, 44 * MIB)).toBe(1);
  expect(after(1000, 45 * MIB)).toBe(2);
  expect(after(9000, 90 * MIB)).toBe(2);
  expect(after(1000, 90 * MIB)).toBe(3);
  // Before a long pause less is worth it.
  expect(after(60_000, 34 * MIB, 59_999)).toBe(3);
  expect(after(60_000, 33 * MIB, 60_000)).toBe(3);
  expect(after(60_000, 34 * MIB, 60_000)).toBe(4);
  // Once less is kept, less may come beside it.
  expect(after(60_000, 16 * MIB)).toBe(4);
  expect(after(60_000, 27 * MIB)).toBe(4);
  expect(after(60_000, 28 * MIB)).toBe(5);
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
