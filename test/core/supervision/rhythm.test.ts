import { describe, expect, test } from 'vitest';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { nextRoundInMs, type RhythmFacts, sharePercent } from '../../../src/core/supervision/rhythm.ts';
import { entry, NOW, roll } from '../../cli/render/samples.ts';
import { pressure } from './supervision-samples.ts';

const idle = (name: string) => entry(name, { activity: 'idle' });
const heard = (name: string, activity: SessionEntry['activity']) =>
  entry(name, {
    activity,
    evidence: [{ kind: 'sensor-unavailable', source: 'hook', observedAt: NOW, text: '' }],
  });

const next = (sessions: readonly SessionEntry[], changes: Partial<RhythmFacts> = {}) =>
  nextRoundInMs({
    ...{ roll: roll(sessions), pressure: pressure(), graceInMs: null, sinceChangeMs: null, costMs: 1 },
    ...changes,
  });

describe('the time until the next round', () => {
  test('is long where nothing does anything', () => {
    expect(next([])).toBe(10_000);
    expect(next([idle('a'), heard('b', 'waiting')])).toBe(10_000);
    expect(next([idle('a')], { sinceChangeMs: 60_000 })).toBe(10_000);
  });

  test.each(['working', 'starting', 'waiting'] as const)(
    'is short where one is %s without hooks',
    (activity) => {
      expect(next([idle('a'), entry('b', { activity })])).toBe(1500);
    },
  );

  test('is short after a change, and where memory is all but gone', () => {
    expect(next([idle('a')], { sinceChangeMs: 0 })).toBe(1500);
    expect(next([idle('a')], { pressure: pressure({ tier: 'critical' }) })).toBe(1500);
  });

  test('is between where agents tell of their work, or memory runs short or may soon', () => {
    expect(next([heard('a', 'working')])).toBe(4000);
    expect(next([], { pressure: pressure({ tier: 'moderate' }) })).toBe(4000);
    const soon = { tier: 'moderate', inMs: 5000, signal: null } as const;
    expect(next([], { pressure: pressure({ next: soon }) })).toBe(4000);
  });

  test('comes when a grace ends, and looks at it meanwhile', () => {
    expect(next([], { graceInMs: 60_000, costMs: 900 })).toBe(1500);
    expect(next([], { graceInMs: 800 })).toBe(800);
    expect(next([], { graceInMs: -5 })).toBe(500);
  });

  test('grows with what a round costs, so that rounds take a share of one core that stays small', () => {
    const many = Array.from({ length: 200 }, (_, index) => idle(`s${index}`));
    expect(next(many, { costMs: 80 })).toBe(Math.round(8000 / 0.7));
    expect(next(many, { costMs: 10_000 })).toBe(30_000);
    const thousand = Array.from({ length: 1000 }, (_, index) => idle(`s${index}`));
    expect(next(thousand, { costMs: 300 })).toBe(Math.round(30_000 / 2.8));
  });

  test('may take more of it where something happens, and most where memory is all but gone', () => {
    expect(next([entry('a', { activity: 'working' })], { costMs: 84 })).toBe(Math.round(8400 / 4.2));
    expect(next([heard('a', 'working')], { costMs: 105 })).toBe(Math.round(10_500 / 2.1));
    expect(next([idle('a')], { costMs: 210, pressure: pressure({ tier: 'critical' }) })).toBe(2000);
    expect(next([idle('a')], { costMs: 100, pressure: pressure({ tier: 'critical' }) })).toBe(1500);
  });

  test('the share grows with what there is to look at, up to a bound', () => {
    expect([0, 200, 400, 800, 5000].map(sharePercent)).toEqual([0.7, 0.7, 1.4, 2.8, 2.8]);
  });
});
