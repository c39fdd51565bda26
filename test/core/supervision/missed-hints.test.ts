import { expect, test } from 'vitest';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { changesBetween, missedHints } from '../../../src/core/supervision/changes.ts';
import { WAKES } from '../../../src/core/supervision/round.ts';
import { entry, NOW, roll } from '../../cli/render/samples.ts';
import { pressure, REAPED } from './supervision-samples.ts';

const found = (before: readonly SessionEntry[], after: readonly SessionEntry[]) =>
  changesBetween(
    { roll: roll(before), pressure: pressure() },
    { roll: roll(after), pressure: pressure(), events: [REAPED], settled: [] },
    { at: NOW, awakeMs: 0, suspendedMs: 0 },
    1,
  );

test.each([
  ['a session that came', [], [entry('a')], 1],
  ['one that went', [entry('a')], [], 1],
  ['another activity', [entry('a')], [entry('a', { activity: 'idle' })], 1],
  ['another wait', [entry('a')], [entry('a', { waitingFor: 'plan' })], 1],
  ['a person', [entry('a')], [entry('a', { attached: 2 })], 1],
  ['a rename', [entry('a')], [{ ...entry('a'), name: 'b' }], 1],
  ['a rest that became long', [entry('a')], [entry('a', { lifecycle: 'stale' })], 0],
  ['nothing', [entry('a')], [entry('a')], 0],
])('a relist that finds %s missed so many hints', (_, before, after, missed) => {
  expect(missedHints(found(before, after), ['relist'])).toBe(missed);
});

test.each(WAKES.filter((wake) => wake !== 'relist'))('nothing that %s announced was missed', (wake) => {
  expect(missedHints(found([], [entry('a')]), ['relist', wake])).toBe(0);
});

test('what a hint announced was not missed, and a start has nothing to miss', () => {
  const changes = found([], [entry('a')]);
  expect(missedHints(changes, ['relist', 'hook'])).toBe(0);
  expect(missedHints(changes, ['start'])).toBe(0);
  expect(missedHints(changes, [])).toBe(0);
});
