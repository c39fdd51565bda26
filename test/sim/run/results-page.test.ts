import { expect, it } from 'vitest';
import type { WholeResult } from './report.ts';
import { withResult } from './results-page.ts';

const result = (changes: Partial<WholeResult> = {}): WholeResult => ({
  ...{ seeds: 100, first: 1, sessionHours: 51_000, steps: 7, minutesOfCore: 72.04, minutes: 40 },
  ...{ violations: 0, timesRealTime: 2000, scale: { hours: 24, sessions: 25 }, ...changes },
  stats: { 'turns of agents': 1200, faults: 7, ...changes.stats },
});
const added = (before: string, state: string, changes: Partial<WholeResult> = {}) =>
  withResult(before, state, result(changes)).join('\n');

const ONE = added('\nNot yet run.\n', '0a1b2c3d');

it('the first result begins the page', () => {
  expect(ONE.split('\n')).toEqual([
    '**100 worlds, 51,000 session-hours in 72 min of a core (1,999 × real time, 42,476 × that of a session): 0 violations.** Below 3 in 51,000 session-hours at 95 %.',
    '',
    '| sources | seeds | worlds | hours | sessions | session-hours | minutes of a core | violations |',
    '|---|---|---:|---:|---:|---:|---:|---:|',
    '| `0a1b2c3d` | 1–100 | 100 | 24 | 25 | 51,000 | 72 | 0 |',
    '',
    '| counted | |',
    '|---|---:|',
    '| faults | 7 |',
    '| turns of agents | 1,200 |',
  ]);
});

it('a later one is added to what was counted before', () => {
  const two = added(ONE, 'ffffffff', { first: 101, seeds: 20, sessionHours: 9000, stats: { visits: 5 } });
  expect(two).toContain('**120 worlds, 60,000 session-hours in 144 min of a core');
  expect(two).toContain('| `0a1b2c3d` | 1–100 | 100 |');
  expect(two).toContain('| `ffffffff` | 101–120 | 20 |');
  expect(two).toContain('| turns of agents | 2,400 |\n| visits | 5 |');
  expect(added(two, 'ffffffff', { first: 101, seeds: 20 })).toBe(two);
});

it('worlds in which a law was broken give no bound', () => {
  const broken = added(ONE, 'ffffffff', { violations: 1 });
  expect(broken).toContain(': 1 violations.**\n');
});

it('seeds that follow each other share a row', () => {
  const next = added(ONE, '0a1b2c3d', { first: 101, seeds: 20, sessionHours: 9000, minutesOfCore: 8 });
  expect(next).toContain('| `0a1b2c3d` | 1–120 | 120 | 24 | 25 | 60,000 | 80 | 0 |');
  expect(added(next, '0a1b2c3d', { first: 110, seeds: 20 })).toBe(next);
  const larger = added(next, '0a1b2c3d', { first: 121, seeds: 1, scale: { hours: 24, sessions: 50 } });
  expect(larger).toContain('| 121–121 | 1 | 24 | 50 |');
});
