import { describe, expect, it } from 'vitest';
import { judgeAnswer } from '../../../src/core/supervision/answering.ts';

const ROUNDS = { at: 1000, nextAt: 11_000, roundMs: 200 };
const HOUR = 3_600_000;

/** The same on the clock that nobody can step, which is behind the other here. */
const AWAKE = { ...ROUNDS, nextAwakeMs: 6000 };
const at = (ms: number, stepMs = 0) => ({ at: ms + stepMs, awakeMs: ms - 5000 });

describe('a daemon that runs', () => {
  it('answers, also while its next round is a little late', () => {
    const answers = { state: 'answers', since: null, text: 'it answers', hint: null };
    expect(judgeAnswer(7, 'answered', ROUNDS, at(42_000))).toEqual(answers);
    expect(judgeAnswer(7, 'answered', null, at(42_000))).toEqual(answers);
  });

  it('is late where it has made no round for its interval and a margin', () => {
    expect(judgeAnswer(7, 'answered', ROUNDS, at(42_001))).toMatchObject({ state: 'late', since: 1000 });
  });

  it.each([0, 2 * HOUR, -2 * HOUR])(
    'S26: is judged by awake time, also after a step of the clock by %i ms',
    (stepMs) => {
      const state = (ms: number) => judgeAnswer(7, 'answered', AWAKE, at(ms, stepMs)).state;
      expect([state(2000), state(42_000), state(42_001)]).toEqual(['answers', 'answers', 'late']);
    },
  );

  it('S26: is not late for what the machine slept through', () => {
    const now = { at: ROUNDS.nextAt + 8 * HOUR, awakeMs: AWAKE.nextAwakeMs };
    expect(judgeAnswer(7, 'answered', AWAKE, now).state).toBe('answers');
  });

  it('is not answering where its process is stopped, or where nothing comes', () => {
    expect(judgeAnswer(7, 'stopped', ROUNDS, at(2000))).toEqual({
      ...{ state: 'stopped', since: 1000, text: 'its process is stopped' },
      hint: 'let it go on: kill -CONT 7',
    });
    expect(judgeAnswer(7, 'silent', null, at(2000))).toMatchObject({
      ...{ state: 'silent', since: null },
      hint: expect.stringContaining('rollcall up'),
    });
  });
});
