import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fused } from '../../../src/core/agent/fuse.ts';
import { fuse as fuseSigns } from '../../../src/core/agent/fuse.ts';
import type { AgentSign } from '../../../src/core/agent/sign.ts';
import { SIGN_SOURCES } from '../../../src/core/agent/sign.ts';
import { WAITING_FOR } from '../../../src/core/verdict/verdict.ts';

const NOW = 1_800_000_000_000;
const base = { observedAt: NOW, isVerified: true, text: '' } as const;
const status = (over: Partial<AgentSign>): AgentSign => ({ ...base, source: 'agent', isLive: true, ...over });
const title = (over: Partial<AgentSign>): AgentSign => ({ ...base, source: 'title', isLive: true, ...over });
const screen = (over: Partial<AgentSign>): AgentSign => ({
  ...base,
  source: 'screen',
  isLive: true,
  ...over,
});
const hook = (agoMs: number, over: Partial<AgentSign>): AgentSign => ({
  ...{ ...base, source: 'hook', isLive: false, since: NOW - agoMs, ...over },
});
const transcript = (agoMs: number, over: Partial<AgentSign>): AgentSign => ({
  ...hook(agoMs, over),
  source: 'transcript',
});
const REST = { turn: 'over', waitingFor: null, background: 0 } as const;

const fuse = (signs: AgentSign[], now: number): Fused => fuseSigns(signs as [AgentSign], now);

describe('of several events', () => {
  it('the last beginning of a turn counts', () => {
    const begun = [hook(9000, { turn: 'over', beganAt: 5 }), transcript(9000, { turn: 'over', beganAt: 7 })];
    expect(fuse([...begun, status(REST)], NOW).beganAt).toBe(7);
  });

  it('of those at the same moment a dialog counts, and what is seen as of that moment decides', () => {
    const both = [hook(9000, { waitingFor: null }), transcript(9000, { waitingFor: 'permission' })];
    expect(fuse([...both, title({ turn: 'over', background: 0 })], NOW).says).toBe('waiting');
    const seen = title({ turn: 'over', background: 0, since: NOW - 9000 });
    const told = [hook(9000, { turn: 'running', waitingFor: null }), seen, screen({ waitingFor: null })];
    expect(fuse(told, NOW).says).toBe('idle');
  });

  it('what somebody is asked is told by the last that named it', () => {
    const asked = title({ waitingFor: 'input' });
    const events = [hook(9000, { waitingFor: 'permission' }), transcript(8000, { waitingFor: null })];
    expect(fuse([asked, ...events], NOW).waitingFor).toBe('permission');
  });

  it('also those of a version that was never tried are believed, but not its screen alone', () => {
    const rest = { ...REST, isVerified: false };
    expect(fuse([hook(9000, rest), screen({ waitingFor: null })], NOW).says).toBe('idle');
    expect(fuse([screen(rest)], NOW).says).toBe('unknown');
  });
});

describe('what signs say together', () => {
  it.each<[string, AgentSign[], Fused['says']]>([
    ['a status of rest', [status(REST)], 'idle'],
    ['a status of work', [status({ turn: 'running' })], 'working'],
    ['S12: rest with something in the background', [status({ ...REST, background: 2 })], 'idle'],
    ['S15: a dialog', [status({ turn: 'running', waitingFor: 'permission' })], 'waiting'],
    ['a sign that tells nothing', [screen({})], 'unknown'],
    ['a turn that is over, and nobody sees the background', [title({ turn: 'over' })], 'unknown'],
    ['a turn that is over, and nobody sees dialogs', [title({ turn: 'over', background: 0 })], 'unknown'],
    [
      'a title and a screen that see all between them',
      [title({ turn: 'over', background: 0 }), screen({ waitingFor: null })],
      'idle',
    ],
    [
      'a dialog that was not there when it was last told',
      [title({ turn: 'over' }), hook(9000, { waitingFor: null }), screen({})],
      'unknown',
    ],
    [
      'S15: a title that is blind to the dialog on the screen',
      [title({ turn: 'over' }), screen({ waitingFor: 'trust' })],
      'waiting',
    ],
    [
      'S27: an old event of work, and a status of rest since',
      [hook(9000, { turn: 'running' }), status({ ...REST, since: NOW - 5000 })],
      'idle',
    ],
    [
      'an event of work just now, and a title of rest',
      [hook(100, { turn: 'running' }), title(REST)],
      'working',
    ],
    [
      'S37: an event of work some time ago, and a title of rest',
      [hook(1500, { turn: 'running' }), title(REST)],
      'unknown',
    ],
    [
      'a status of rest from before an event of work',
      [hook(2000, { turn: 'running' }), status({ ...REST, since: NOW - 9000 })],
      'unknown',
    ],
    ['an event of rest, and a title of work', [hook(9000, REST), title({ turn: 'running' })], 'working'],
    ['S14: a status of rest, and a screen of work', [status(REST), screen({ turn: 'running' })], 'unknown'],
    [
      'a later event of work',
      [
        hook(9000, { turn: 'over' }),
        transcript(100, { turn: 'running' }),
        screen({ waitingFor: null, background: 0 }),
      ],
      'working',
    ],
    [
      'a later event of rest',
      [
        hook(9000, { turn: 'running' }),
        transcript(5000, { turn: 'over' }),
        screen({ waitingFor: null, background: 0 }),
      ],
      'idle',
    ],
    [
      'events of the same moment',
      [hook(9000, { turn: 'over' }), transcript(9000, { turn: 'running' })],
      'working',
    ],
    ['a dialog asked for by a hook', [hook(9000, { turn: 'running', waitingFor: 'permission' })], 'waiting'],
    [
      'a dialog that a later event takes back',
      [hook(9000, { waitingFor: 'permission' }), transcript(10, { turn: 'running', waitingFor: null })],
      'working',
    ],
    [
      'a dialog that a status of work takes back',
      [hook(9000, { waitingFor: 'permission' }), status({ turn: 'running' })],
      'working',
    ],
    [
      'a dialog asked for just now, before the status knows',
      [hook(100, { waitingFor: 'permission' }), status({ turn: 'running' })],
      'waiting',
    ],
    [
      'a dialog that the screen does not show any more',
      [hook(9000, { turn: 'running', waitingFor: 'permission' }), screen({ waitingFor: null })],
      'working',
    ],
    [
      'a dialog in the status, none on the screen',
      [status({ waitingFor: 'question' }), screen({ waitingFor: null })],
      'unknown',
    ],
  ])('%s: %#', (_, signs, says) => {
    expect(fuse(signs, NOW).says).toBe(says);
    expect(fuse([...signs].reverse(), NOW)).toEqual(fuse(signs, NOW));
  });

  it('S17: rests after a turn that ended in an error, and has not finished', () => {
    const failed = status({ ...REST, waitingFor: 'error' });
    expect(fuse([failed], NOW)).toMatchObject({ says: 'idle', hasFailed: true });
    expect(fuse([hook(9000, { turn: 'over', waitingFor: 'error' }), status(REST)], NOW)).toMatchObject({
      says: 'idle',
      hasFailed: true,
    });
    expect(fuse([status(REST)], NOW).hasFailed).toBe(false);
  });

  it.each<[string, AgentSign[], Fused['says'], Fused['waitingFor']]>([
    ['a request that is tried again', [status({ turn: 'running', waitingFor: 'retry' })], 'waiting', 'retry'],
    [
      'a summary that a hook told of, and a status that sees no dialog',
      [
        hook(9000, { turn: 'running', waitingFor: 'compaction' }),
        status({ turn: 'running', waitingFor: null }),
      ],
      'waiting',
      'compaction',
    ],
    [
      'a summary that has ended since',
      [
        hook(9000, { waitingFor: 'compaction' }),
        transcript(100, { waitingFor: null }),
        status({ turn: 'running' }),
      ],
      'working',
      undefined,
    ],
    [
      'a summary of a turn that is over',
      [hook(9000, { turn: 'running', waitingFor: 'compaction' }), status({ ...REST, since: NOW - 100 })],
      'idle',
      undefined,
    ],
    [
      'a dialog in the middle of a retry',
      [status({ turn: 'running', waitingFor: 'retry' }), hook(9, { waitingFor: 'permission' })],
      'waiting',
      'permission',
    ],
  ])('S17: a turn that is held up by %s', (_, signs, says, waitingFor) => {
    const fused = fuse(signs, NOW);
    expect([fused.says, fused.waitingFor]).toEqual([says, waitingFor]);
  });

  it('says what is missing', () => {
    expect(fuse([screen({})], NOW).missing).toBe('nothing tells whether its turn is over');
    expect(fuse([title({ turn: 'over' })], NOW).missing).toContain('background');
    expect(fuse([title({ turn: 'over', background: 0 })], NOW).missing).toContain('dialog');
  });

  it('names both sides of a disagreement, the busier first', () => {
    expect(fuse([status(REST), screen({ turn: 'running' })], NOW)).toMatchObject({
      decisive: { source: 'screen' },
      opposed: { source: 'agent' },
    });
    expect(fuse([hook(1500, { turn: 'running' }), title(REST)], NOW)).toMatchObject({
      decisive: { source: 'hook' },
      opposed: { source: 'title' },
    });
  });

  it('takes what is waited for from whoever knows best', () => {
    const asked = title({ waitingFor: 'input' });
    expect(fuse([asked], NOW).waitingFor).toBe('input');
    expect(fuse([asked, hook(9000, { waitingFor: 'permission' })], NOW).waitingFor).toBe('permission');
    expect(
      fuse([asked, hook(9000, { waitingFor: 'permission' }), screen({ waitingFor: 'question' })], NOW)
        ?.waitingFor,
    ).toBe('question');
    expect(fuse([status({ waitingFor: 'plan' }), screen({ waitingFor: 'question' })], NOW).waitingFor).toBe(
      'plan',
    );
    expect(fuse([status({ waitingFor: 'input' }), screen({ waitingFor: 'login' })], NOW).waitingFor).toBe(
      'login',
    );
    expect(fuse([asked, screen({})], NOW).waitingFor).toBe('input');
  });

  it('S12: counts the background as the present shows it, else as it was last told', () => {
    expect(fuse([hook(9, { background: 3 }), hook(90, { background: 5 })], NOW).backgroundTasks).toBe(3);
    expect(fuse([hook(9, { background: 3 }), status({ background: 0 })], NOW).backgroundTasks).toBe(0);
    expect(fuse([status({ background: 0 }), screen({ background: 1 })], NOW).backgroundTasks).toBe(1);
    expect(fuse([status({})], NOW).backgroundTasks).toBeNull();
    expect(fuse([status(REST), screen({ background: 1 })], NOW)).toMatchObject({
      says: 'idle',
      backgroundTasks: 1,
      decisive: { source: 'screen' },
    });
  });

  it('S16: one draft is a draft', () => {
    expect(fuse([screen({ hasDraft: true }), status({ hasDraft: false })], NOW).hasDraft).toBe(true);
    expect(fuse([screen({ hasDraft: false })], NOW).hasDraft).toBe(false);
    expect(fuse([screen({ isReady: true })], NOW)).toMatchObject({ hasDraft: null, isReady: true });
  });
});

describe('S13: the screen of a version that was never tried', () => {
  const unverified = { isVerified: false } as const;
  it.each<[string, AgentSign[], Fused['says']]>([
    ['proves no rest alone', [screen({ ...REST, ...unverified })], 'unknown'],
    [
      'proves no rest beside a title that is blind',
      [screen({ ...REST, ...unverified }), title({})],
      'unknown',
    ],
    [
      'agrees with another source that the turn is over',
      [screen({ waitingFor: null, background: 0, ...unverified }), title({ turn: 'over' })],
      'idle',
    ],
    ['still shows work', [screen({ turn: 'running', ...unverified })], 'working'],
    ['still shows a dialog', [screen({ waitingFor: 'trust', ...unverified })], 'waiting'],
    [
      'still shows the background',
      [screen({ background: 1, ...unverified }), title({ turn: 'over' })],
      'idle',
    ],
  ])('%s', (_, signs, says) => {
    expect(fuse(signs, NOW).says).toBe(says);
  });
});

describe('whatever the signs', () => {
  const sign: fc.Arbitrary<AgentSign> = fc.record(
    {
      ...{ observedAt: fc.constant(NOW), isVerified: fc.boolean(), text: fc.constant('') },
      source: fc.constantFrom(...SIGN_SOURCES),
      isLive: fc.boolean(),
      since: fc.constantFrom(0, 1000, 1500, 9000).map((ms) => NOW - ms),
      turn: fc.constantFrom('running', 'over'),
      waitingFor: fc.constantFrom(null, ...WAITING_FOR),
      background: fc.constantFrom(0, 1),
      hasDraft: fc.boolean(),
      isReady: fc.boolean(),
    },
    { requiredKeys: ['observedAt', 'isVerified', 'text', 'source', 'isLive'] },
  );
  const signs = fc.array(sign, { minLength: 1, maxLength: 5 });
  const RUNS = { numRuns: 2000 };

  it('their order does not matter', () => {
    fc.assert(
      fc.property(signs, (list) => {
        expect(fuse([...list].reverse(), NOW)).toEqual(fuse(list, NOW));
      }),
      RUNS,
    );
  });

  it('a live sign of work never leaves them idle', () => {
    fc.assert(
      fc.property(signs, sign, (list, one) => {
        expect(fuse([...list, { ...one, isLive: true, turn: 'running' }], NOW).says).not.toBe('idle');
      }),
      RUNS,
    );
  });

  it('a live sign of something in the background never leaves them with nothing there', () => {
    fc.assert(
      fc.property(signs, sign, (list, one) => {
        expect(fuse([...list, { ...one, isLive: true, background: 1 }], NOW).backgroundTasks).not.toBe(0);
      }),
      RUNS,
    );
  });

  it('idle is attested in all its parts', () => {
    fc.assert(
      fc.property(signs, (list) => {
        const fused = fuse(list, NOW);
        if (fused.says !== 'idle' || fused.backgroundTasks !== 0) return;
        expect(list.some((one) => one.turn === 'over')).toBe(true);
        expect(list.some((one) => one.background === 0)).toBe(true);
        const isSeen = (one: AgentSign) =>
          one.waitingFor === null || ['error', 'retry', 'compaction'].includes(one.waitingFor as string);
        expect(list.some((one) => one.isLive && isSeen(one))).toBe(true);
        expect(list.some((one) => one.source !== 'screen' || one.isVerified)).toBe(true);
      }),
      RUNS,
    );
  });
});
