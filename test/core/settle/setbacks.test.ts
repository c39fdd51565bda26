import { expect, it } from 'vitest';
import type { Due } from '../../../src/core/settle/due.ts';
import {
  pauseMs,
  type Setbacks,
  stillSetBack,
  withSetback,
  withTries,
} from '../../../src/core/settle/setbacks.ts';
import { HOUR, MINUTE, NOW } from '../../support/evidence.ts';

const due = (key: string, over: Partial<Due> = {}): Due => ({
  ...{ key, name: key, dueAt: NOW.at, why: 'complete', state: 'due' },
  ...over,
});
const failing = (times: number): Setbacks =>
  Array.from({ length: times }).reduce<Setbacks>(
    (before) => withSetback(before, 'a', { hasFailed: true, text: 'it stayed' }, NOW),
    new Map(),
  );

it('each pause is twice as long as the one before it, up to an hour', () => {
  expect([1, 2, 3, 6, 7, 2000].map(pauseMs)).toEqual(
    [1, 2, 4, 32, 60, 60].map((minutes) => minutes * MINUTE),
  );
  expect(failing(3).get('a')).toEqual({
    ...{ tries: 3, hasFailed: true, text: 'it stayed', againMs: NOW.awakeMs + 4 * MINUTE },
  });
});

it('what failed is not due again before its pause is over, and says why', () => {
  const setbacks = failing(2);
  expect(withTries([due('a'), due('b')], setbacks, NOW)).toEqual([
    due('a', { state: 'failed', why: 'it stayed', dueAt: NOW.at + 2 * MINUTE }),
    due('b'),
  ]);
  const later = { ...NOW, awakeMs: NOW.awakeMs + 2 * MINUTE };
  expect(withTries([due('a')], setbacks, later)).toEqual([due('a')]);
  // Suspend ends no pause: the wall clock went on, and the machine did not.
  expect(withTries([due('a')], setbacks, { ...NOW, at: NOW.at + 9 * HOUR })[0]?.state).toBe('failed');
  expect(withTries([due('a', { state: 'protected' })], setbacks, NOW)[0]?.state).toBe('protected');
});

it('what was called off is later', () => {
  const setbacks = withSetback(new Map(), 'a', { hasFailed: false, text: 'a new turn' }, NOW);
  expect(withTries([due('a')], setbacks, NOW)[0]).toMatchObject({ state: 'later', why: 'a new turn' });
});

it('is forgotten once it is not to be closed any more; what was called off, once that has shown itself', () => {
  const failed = failing(1);
  const calledOff = withSetback(new Map(), 'a', { hasFailed: false, text: 'a new turn' }, NOW);
  const kept = (setbacks: Setbacks, ...dues: Due[]) => [...stillSetBack(setbacks, dues).keys()];
  expect(kept(failed)).toEqual([]);
  expect(kept(failed, due('a', { state: 'working' }))).toEqual(['a']);
  expect(kept(calledOff, due('a', { state: 'working' }))).toEqual([]);
  expect(kept(calledOff, due('a'))).toEqual(['a']);
  expect(kept(calledOff, due('a', { state: 'closing' }))).toEqual(['a']);
});
