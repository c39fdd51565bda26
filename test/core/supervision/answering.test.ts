import { describe, expect, it } from 'vitest';
import { judgeAnswer } from '../../../src/core/supervision/answering.ts';

const ROUNDS = { at: 1000, nextAt: 11_000, roundMs: 200 };

describe('a daemon that runs', () => {
  it('answers, also while its next round is a little late', () => {
    const answers = { state: 'answers', since: null, text: 'it answers', hint: null };
    expect(judgeAnswer(7, 'answered', ROUNDS, 42_000)).toEqual(answers);
    expect(judgeAnswer(7, 'answered', null, 42_000)).toEqual(answers);
  });

  it('is late where it has made no round for its interval and a margin', () => {
    expect(judgeAnswer(7, 'answered', ROUNDS, 42_001)).toMatchObject({ state: 'late', since: 1000 });
  });

  it('is not answering where its process is stopped, or where nothing comes', () => {
    expect(judgeAnswer(7, 'stopped', ROUNDS, 2000)).toEqual({
      ...{ state: 'stopped', since: 1000, text: 'its process is stopped' },
      hint: 'let it go on: kill -CONT 7',
    });
    expect(judgeAnswer(7, 'silent', null, 2000)).toMatchObject({
      ...{ state: 'silent', since: null },
      hint: expect.stringContaining('rollcall up'),
    });
  });
});
