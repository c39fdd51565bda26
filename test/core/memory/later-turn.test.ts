import { expect, it } from 'vitest';
import { hasLaterTurn, signsIn } from '../../../src/core/memory/spoken-for.ts';
import { idleAgent, MINUTE, NOW, onPane, sign, word } from '../../support/evidence.ts';

const RESTED = NOW.at - MINUTE;
const SAID = RESTED - MINUTE;

it.each<[string, boolean, Parameters<typeof sign>[0], number | undefined]>([
  ['is at work now', true, { turn: 'running' }, RESTED],
  ['told of the end of another turn', true, { turn: 'over', isLive: false, since: NOW.at }, RESTED],
  ['told of the beginning of another turn', true, { turn: 'running', isLive: false, since: NOW.at }, RESTED],
  ['is at rest', false, { turn: 'over' }, RESTED],
  ['told of the end of its turn, by another clock', false, { turn: 'over', since: RESTED + 1999 }, RESTED],
  ['told of its turn before that', false, { turn: 'running', isLive: false, since: RESTED - 1 }, RESTED],
  ['says nothing of turns', false, { since: NOW.at }, RESTED],
  ['has not been at rest yet', false, { turn: 'running' }, undefined],
])('S30: an agent that %s: a later turn is %s', (_, isLater, over, restedAt) => {
  expect(hasLaterTurn([sign(over)], { at: SAID, restedAt })).toBe(isLater);
});

it.each<[string, boolean, Parameters<typeof sign>[0], number | undefined]>([
  ['began one at once', true, { turn: 'running', beganAt: SAID + 1 }, undefined],
  ['began and ended one before any look', true, { turn: 'over', beganAt: SAID + 1 }, undefined],
  ['was at rest, and began one at once', true, { turn: 'over', isLive: false, beganAt: SAID + 1 }, SAID],
  ['tells only that it began one', true, { isLive: false, beganAt: NOW.at }, RESTED],
  ['is in the turn in which it was said', false, { turn: 'running', beganAt: SAID }, undefined],
  ['ended that turn', false, { turn: 'over', isLive: false, since: NOW.at, beganAt: SAID - 1 }, undefined],
])('S30: an agent that %s after a completion: a later turn is %s', (_, isLater, over, restedAt) => {
  expect(hasLaterTurn([sign({ turn: 'over' }), sign(over)], { at: SAID, restedAt })).toBe(isLater);
});

it('the signs of one pane are its own', () => {
  expect(signsIn([...idleAgent(), ...onPane('%2', [word()])], '%1')).toEqual([word()]);
});
