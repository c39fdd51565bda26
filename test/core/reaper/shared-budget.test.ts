import { describe, expect, it } from 'vitest';
import {
  type BudgetEntry,
  budgetIn,
  freeAtOf,
  inForce,
  isBudgetBook,
  isSettling,
} from '../../../src/core/reaper/budget.ts';
import { HOUR, MINUTE, NOW, SECOND } from '../../support/evidence.ts';
import { FREE } from './rounds.ts';

const here = { now: NOW, bootId: 'this' };
const entry = (agoMs: number, over: Partial<BudgetEntry> = {}): BudgetEntry => ({
  ...{ id: 'i', at: NOW.at - agoMs, awakeMs: NOW.awakeMs - agoMs, bootId: 'this', pid: 1, key: 'k' },
  isOver: true,
  ...over,
});

describe('the closes of the last hour', () => {
  it('count for an hour of awake time, whatever the wall clock says', () => {
    const late = entry(59 * MINUTE, { at: NOW.at - 9 * HOUR });
    expect(inForce([late, entry(HOUR), entry(-5)], here)).toEqual([late, entry(-5)]);
  });

  it('of an earlier boot count until this boot is an hour old, whatever the wall clock says', () => {
    const fresh = { ...here, now: { ...NOW, awakeMs: HOUR - 1 } };
    const earlier = (agoMs: number) => entry(agoMs, { bootId: 'other' });
    const all = [earlier(10 * MINUTE), earlier(48 * HOUR), earlier(-HOUR)];
    expect(inForce(all, fresh)).toEqual(all);
    expect(inForce(all, { ...here, now: { ...NOW, awakeMs: HOUR } })).toEqual([]);
  });

  it('stay used when the wall clock is set', () => {
    const used = entry(MINUTE);
    for (const step of [30 * 24 * HOUR, -30 * 24 * HOUR]) {
      expect(inForce([used], { ...here, now: { ...NOW, at: NOW.at + step } })).toEqual([used]);
    }
  });

  it('tell when the next one is free', () => {
    const entries = [entry(50 * MINUTE), entry(20 * MINUTE), entry(5 * MINUTE)];
    expect(freeAtOf(entries, 3, here)).toBe(NOW.at + 10 * MINUTE);
    expect(freeAtOf(entries, 2, here)).toBe(NOW.at + 40 * MINUTE);
    expect(freeAtOf(entries.toReversed(), 3, here)).toBe(NOW.at + 10 * MINUTE);
  });

  it('hold the next one up while they settle, and longer while one is under way', () => {
    expect(isSettling([entry(19 * SECOND)], 20 * SECOND, here)).toBe(true);
    expect(isSettling([entry(20 * SECOND)], 20 * SECOND, here)).toBe(false);
    expect(isSettling([entry(MINUTE), entry(SECOND)], 20 * SECOND, here)).toBe(true);
    expect(isSettling([entry(4 * MINUTE, { isOver: false })], 20 * SECOND, here)).toBe(true);
    expect(isSettling([entry(5 * MINUTE, { isOver: false })], 20 * SECOND, here)).toBe(false);
  });

  it('are read only where they are what they should be', () => {
    expect(isBudgetBook([entry(0)])).toBe(true);
    for (const bad of [{}, [null], ['x'], [{ ...entry(0), at: 'x' }], [{ ...entry(0), isOver: 1 }]]) {
      expect(isBudgetBook(bad)).toBe(false);
    }
    expect(isBudgetBook([{ ...entry(0), key: 3 }])).toBe(false);
  });
});

describe('what shadow would have closed', () => {
  const used = [NOW.awakeMs - 30 * MINUTE, NOW.awakeMs - 2 * HOUR, NOW.awakeMs - MINUTE];

  it('counts in shadow only, for an hour', () => {
    expect(budgetIn('shadow', FREE, used, NOW)).toEqual({ ...FREE, used: 2 });
    expect(budgetIn('shadow', FREE, [NOW.awakeMs - HOUR], NOW)).toEqual(FREE);
    expect(budgetIn('enforce', FREE, used, NOW)).toEqual(FREE);
  });

  it('tells when the next one is free', () => {
    const tight = { ...FREE, perHour: 2 };
    expect(budgetIn('shadow', tight, used, NOW).freeAt).toBe(NOW.at + 30 * MINUTE);
    const real = { ...tight, used: 2, freeAt: 5 };
    expect(budgetIn('shadow', real, used, NOW).freeAt).toBe(5);
    expect(budgetIn('shadow', real, [], NOW)).toEqual(real);
    expect(budgetIn('shadow', { ...real, freeAt: null }, [], NOW).freeAt).toBeNull();
  });
});
