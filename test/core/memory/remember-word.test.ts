import { describe, expect, it } from 'vitest';
import { followTurn, followWord, readWord } from '../../../src/core/memory/remember-word.ts';
import type { Completion } from '../../../src/core/verdict/declared.ts';
import {
  agent,
  client,
  HOUR,
  MINUTE,
  NOW,
  note,
  people,
  shell,
  spoken,
  word,
} from '../../support/evidence.ts';

const AT = NOW.at - HOUR;
const INPUT = { pid: 100, startTicks: 2, program: 'bash', observedAt: AT, turns: '1', readAt: 1 };
const done = (over: Partial<Completion> = {}): Completion => ({
  ...{ at: AT, outcome: 'done', evidence: null, blockers: [], speaksFor: [spoken({ at: AT })] },
  ...over,
});
const PANE = { paneId: '%1', processes: [shell(), agent()] };
const typed = (lastInputAt: number, lastAttachedAt = AT - MINUTE) =>
  people({ clients: [client({ lastInputAt })], lastAttachedAt });
const read = (over: Partial<Completion> = {}, pane = PANE, there = people()) =>
  readWord(done(over), pane, there, false);

describe('a completion is read in a pane', () => {
  it('with what is known of it', () => {
    expect(read()).toEqual({ at: AT, isAtRest: false, isClosing: false });
    const whole = { speaksFor: [spoken({ at: AT, isAtRest: true, input: INPUT })] };
    expect(read(whole)).toEqual({ at: AT, isAtRest: true, isClosing: false, input: INPUT });
  });

  it('only where it speaks for it; an earlier version’s may', () => {
    expect(read({}, { ...PANE, paneId: '%2' })).toBeUndefined();
    const { speaksFor: _, ...old } = done();
    expect(readWord(old, PANE, people(), true)).toEqual({ at: AT, isAtRest: false, isClosing: true });
  });

  it.each([
    ['another claude ran in it since', agent({ pid: 301 })],
    ['another helper ran in it since', note({ pid: 301, role: 'agent', program: 'helper' })],
  ])('as ended: %s', (used, stranger) => {
    expect(read({}, { ...PANE, processes: [shell(), stranger] })).toMatchObject({ used });
  });

  it.each([
    ['typed after it', typed(AT + 1), true],
    ['typed before it', typed(AT), false],
    ['only came', typed(AT + MINUTE, AT + MINUTE), false],
    ['came and typed', typed(AT + MINUTE + 1001, AT + MINUTE), true],
    ['is not told to have typed', people({ clients: [client()] }), false],
  ])('by somebody who %s', (_, there, isUsed) => {
    expect(read({}, PANE, there)?.used !== undefined).toBe(isUsed);
  });

  it('by somebody who typed, where tmux does not tell when they came', () => {
    const { lastAttachedAt: _, ...there } = typed(AT + 1);
    expect(read({}, PANE, there)?.used).toBe('somebody attached to it has typed since');
  });
});

describe('a completion is followed', () => {
  const reading = { at: AT, isAtRest: false, isClosing: false };

  it('from when it was said, also where another was said before', () => {
    expect(followWord(reading, undefined, undefined)).toEqual({ at: AT });
    expect(followWord({ ...reading, isAtRest: true }, { at: 1, used: 'x' }, undefined)).toEqual({
      at: AT,
      restedAt: AT,
    });
  });

  it('until it ends, for good', () => {
    expect(followWord({ ...reading, used: 'a' }, { at: AT }, 'b')).toEqual({ at: AT, used: 'a' });
    expect(followWord(reading, { at: AT, restedAt: 1 }, 'b')).toEqual({ at: AT, restedAt: 1, used: 'b' });
    expect(followWord({ ...reading, used: 'a' }, { at: AT, used: 'b' }, undefined).used).toBe('b');
  });

  it('a close on its way does not end it; somebody who types meanwhile does', () => {
    expect(followWord({ ...reading, isClosing: true }, { at: AT }, 'b')).toEqual({ at: AT });
    const stranger = { ...PANE, processes: [shell(), agent({ pid: 301 })] };
    expect(readWord(done(), stranger, people(), true)?.used).toBeUndefined();
    const typing = readWord(done(), stranger, typed(AT + 1), true);
    expect(typing && followWord(typing, { at: AT }, 'b').used).toBe(
      'somebody attached to it has typed since',
    );
  });

  it('S30: through the turn in which it was said, and no further', () => {
    const running = [word({ turn: 'running' })];
    const during = followTurn({ at: AT }, running, false, NOW.at);
    expect(during).toEqual({ at: AT });
    const after = followTurn(during, [word()], true, NOW.at);
    expect(after).toEqual({ at: AT, restedAt: NOW.at });
    expect(followTurn(after, [word()], true, NOW.at + 1)).toEqual(after);
    const again = followTurn(after, running, false, NOW.at + 1);
    expect(again).toEqual({ ...after, used: 'a new turn has begun since' });
    expect(followTurn(again, [word()], true, NOW.at + 2)).toEqual(again);
    const typed = { ...after, used: 'somebody attached to it has typed since' };
    expect(followTurn(typed, running, false, NOW.at + 1)).toEqual(typed);
  });

  it('S30: and not through one that was prompted after it, though no look saw rest between them', () => {
    const used = 'a new turn has begun since';
    expect(followTurn({ at: AT }, [word({ beganAt: AT - 1 })], false, NOW.at)).toEqual({ at: AT });
    expect(followTurn({ at: AT }, [word({ beganAt: AT + 1 })], true, NOW.at)).toEqual({ at: AT, used });
  });
});
