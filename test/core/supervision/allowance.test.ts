import { expect, test } from 'vitest';
import { fullAllowance, hintWaitsMs, spend } from '../../../src/core/supervision/rhythm.ts';

test('a burst of hints is followed at once, a storm is spread out', () => {
  let allowance = fullAllowance('hints', 0);
  let awakeMs = 0;
  const begun: number[] = [];
  while (awakeMs < 60_000) {
    awakeMs += hintWaitsMs(allowance, awakeMs);
    begun.push(awakeMs);
    awakeMs += 60;
    allowance = spend(allowance, 60, awakeMs);
  }
  const early = begun.filter((at) => at < 2000).length;
  const late = begun.filter((at) => at >= 50_000).length;
  expect(early).toBeGreaterThan(30);
  expect((late * 60) / 10_000).toBeCloseTo(0.25, 1);
});

test('no hint waits longer than a second, however dear a round was', () => {
  expect(hintWaitsMs(spend(fullAllowance('hints', 0), 1e9, 10), 10)).toBe(1000);
});

test('it grows back to its full amount and no further, and a clock that stands still or turns back gives nothing', () => {
  const spent = spend(fullAllowance('hints', 0), 3000, 0);
  expect(hintWaitsMs(spent, 0)).toBe(0);
  expect(spend(spent, 0, 1e9)).toEqual({ ms: 3000, mostMs: 3000, awakeMs: 1e9 });
  expect(spend(spent, -5, -1000).ms).toBe(0);
});

test('a hundred deaths among a thousand sessions are followed at once', () => {
  let allowance = fullAllowance('deaths', 0);
  for (let death = 0; death < 100; death += 1) {
    expect(hintWaitsMs(allowance, death * 900)).toBe(0);
    allowance = spend(allowance, 400, death * 900 + 400);
  }
  expect(hintWaitsMs(spend(allowance, 1e9, 90_000), 90_000)).toBe(1000);
});
