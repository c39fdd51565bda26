import { describe, expect, it, test } from 'vitest';
import { readTitle, titleSign } from '../../../../src/adapters/agents/gemini/title.ts';
import { recordedTitle } from './recordings.ts';

const seen = { now: 7, isVerified: true, hasShell: false };
const factsOf = (title: string, hasShell = false) => {
  const word = readTitle(title);
  if (!word) return null;
  const { turn, waitingFor, background, hasDraft, isReady } = titleSign(word, { ...seen, title, hasShell });
  return JSON.parse(JSON.stringify({ turn, waitingFor, background, hasDraft, isReady }));
};

describe('a title', () => {
  it.each([
    [recordedTitle('idle-fresh'), { turn: 'over' }],
    [recordedTitle('trust'), { turn: 'over' }],
    [recordedTitle('slow'), { turn: 'running' }],
    ['✦  Reading the tests (acme)'.padEnd(80), { turn: 'running' }],
    ['✦  Ready (acme)', { turn: 'running' }],
    ['⏲  Working… (acme)', { turn: 'running' }],
    [recordedTitle('ask'), { turn: 'running', waitingFor: 'permission' }],
    [recordedTitle('static-idle'), null],
    [recordedTitle('auth-google'), null],
    [recordedTitle('plain-done'), null],
    ['my notes ◇  Ready (acme)', null],
    ['◇ Ready (acme)', null],
    ['◇  Ready', null],
    ['', null],
  ])('%j', (title, facts) => expect(factsOf(title)).toEqual(facts));

  test('that asks for action may mean a command that has gone quiet: then it names no dialog', () => {
    expect(factsOf('✋  Action Required (acme)', true)).toEqual({ turn: 'running' });
  });

  test('S54: no control character of a title is passed on', () => {
    const title = '✦  \u001b]0;x\u0007\u202e (acme)';
    expect(titleSign('working', { ...seen, title }).text).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});
