import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { createGiveBack } from '../../../src/adapters/daemon/give-back.ts';

const MIB = 2 ** 20;

function room() {
  let [used, taken, now, collected] = [20 * MIB, 28 * MIB, 0, 0];
  let leaves = { used: 30 * MIB, taken: 38 * MIB };
  const collect = () => {
    collected += 1;
    ({ used, taken } = leaves);
  };
  const giveBack = createGiveBack({ collect, held: () => ({ used, taken }), elapsedMs: () => now });
  return {
    leave(mib: { readonly used: number; readonly taken: number }) {
      leaves = { used: mib.used * MIB, taken: mib.taken * MIB };
    },
    after(ms: number, usedMib: number, { takenMib = 38, nextInMs = 10_000 } = {}) {
      now += ms;
      used = usedMib * MIB;
      taken = takenMib * MIB;
      giveBack({ nextInMs });
      return collected;
    },
  };
}

test('memory is given back once half as much is garbage as is kept, and not again at once', () => {
  const { leave, after } = room();
  expect(after(60_000, 29, { takenMib: 28 })).toBe(0);
  expect(after(10_000, 30, { takenMib: 28 })).toBe(1);
  // What is kept grew: so does what may come beside it.
  expect(after(60_000, 44)).toBe(1);
  expect(after(1000, 45)).toBe(2);
  expect(after(9000, 90)).toBe(2);
  expect(after(1000, 90)).toBe(3);
  // Before a long pause less is worth it.
  expect(after(60_000, 34, { nextInMs: 59_999 })).toBe(3);
  expect(after(60_000, 33, { nextInMs: 60_000 })).toBe(3);
  expect(after(60_000, 34, { nextInMs: 60_000 })).toBe(4);
  // Once less is kept, less may come beside it.
  leave({ used: 10, taken: 18 });
  expect(after(60_000, 10)).toBe(4);
  expect(after(60_000, 17)).toBe(4);
  expect(after(60_000, 18)).toBe(5);
});

test('or V8 has taken 8 MiB more, however little is used of it', () => {
  const { leave, after } = room();
  expect(after(60_000, 20, { takenMib: 35 })).toBe(0);
  leave({ used: 20, taken: 32 });
  expect(after(60_000, 20, { takenMib: 36 })).toBe(1);
  // As little as it has ever had since.
  expect(after(60_000, 20, { takenMib: 30 })).toBe(1);
  expect(after(60_000, 20, { takenMib: 37 })).toBe(1);
  expect(after(60_000, 20, { takenMib: 38 })).toBe(2);
});

test('it is collected twice where much of what stays taken is not used', () => {
  const { leave, after } = room();
  leave({ used: 20, taken: 32 });
  expect(after(60_000, 40)).toBe(1);
  leave({ used: 20, taken: 33 });
  expect(after(60_000, 40)).toBe(3);
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
  let [used, now] = [0, 0];
  const giveBack = createGiveBack({ held: () => ({ used, taken: used }), elapsedMs: () => now });
  const giveBackNow = () => {
    now += 60_000;
    used += 1000 * MIB;
    giveBack({ nextInMs: 10_000 });
  };
  const unused = () => {
    const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
    return (old?.space_size ?? 0) - (old?.space_used_size ?? 0);
  };
  const all = Array.from({ length: 600_000 }, (_, at) => ({ at, of: at, a: at, b: at }));
  giveBackNow();
  const kept = all.filter(({ at }) => at % 2 === 0);
  all.length = 0;
  giveBackNow();
  const before = unused();
  for (let round = 0; round < 4; round += 1) giveBackNow();
  expect(unused()).toBeLessThan(before - 8 * MIB);
  expect(kept).toHaveLength(300_000);
});
