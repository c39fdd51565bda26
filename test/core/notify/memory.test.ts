import { describe, expect, it } from 'vitest';
import type { NotifyMemory } from '../../../src/core/notify/memory.ts';
import { carriedOver, emptyMemory, isNotifyMemory } from '../../../src/core/notify/memory.ts';

const TOLD = { id: 'waiting k', awakeMs: 5, isOn: true, seenMs: 5 };
const GOOD: NotifyMemory = {
  format: 1,
  bootId: 'b',
  told: [TOLD],
  rules: { all: { sentMs: [5, 6], withheld: { waiting: 2 } } },
};

describe('the memory of what was told', () => {
  it('is recognised', () => {
    expect(isNotifyMemory(JSON.parse(JSON.stringify(GOOD)))).toBe(true);
    expect(isNotifyMemory(emptyMemory('b'))).toBe(true);
  });

  it.each([
    null,
    'x',
    [],
    { ...GOOD, format: 2 },
    { ...GOOD, bootId: 1 },
    { ...GOOD, told: {} },
    { ...GOOD, told: [null] },
    { ...GOOD, told: [{ ...TOLD, id: 1 }] },
    { ...GOOD, told: [{ ...TOLD, awakeMs: 'x' }] },
    { ...GOOD, told: [{ ...TOLD, awakeMs: Number.NaN }] },
    { ...GOOD, told: [{ ...TOLD, isOn: 1 }] },
    { ...GOOD, rules: [] },
    { ...GOOD, rules: { all: null } },
    { ...GOOD, rules: { all: { sentMs: 5, withheld: {} } } },
    { ...GOOD, rules: { all: { sentMs: ['x'], withheld: {} } } },
    { ...GOOD, rules: { all: { sentMs: [], withheld: [] } } },
    { ...GOOD, rules: { all: { sentMs: [], withheld: { waiting: 'x' } } } },
  ])('is refused where it is something else: %j', (value) => {
    expect(isNotifyMemory(value)).toBe(false);
  });

  it('is never from the future, whatever the clock did', () => {
    const told = carriedOver(GOOD, 'b', { at: 0, awakeMs: 3, suspendedMs: 0 });
    expect(told.told).toEqual([{ ...TOLD, awakeMs: 3, seenMs: 3 }]);
    expect(told.rules.all).toEqual({ sentMs: [3, 3], withheld: { waiting: 2 } });
  });
});
