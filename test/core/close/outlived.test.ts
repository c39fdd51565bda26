import { describe, expect, it } from 'vitest';
import { outlivedBy, type Sighted, type Silent, silentIn } from '../../../src/core/close/outlived.ts';

const agent = (pid: number, run: string | null, ...argv: string[]): Sighted => ({
  ...{ pid, run, argv, conversation: null },
});
const pids = (found: readonly Sighted[]) => found.map(({ pid }) => pid);

describe('whoever may still be at a conversation', () => {
  const all = [
    agent(1, 'run', 'claude'),
    agent(2, null, 'claude', '--resume', 'id'),
    agent(3, 'other', 'claude', '--resume=id'),
    agent(4, 'other', 'claude', '--resume', 'id-2'),
    agent(5, null, 'claude'),
    { ...agent(6, null, 'claude', '--continue'), conversation: 'id' },
    agent(7, 'later', 'claude'),
    agent(8, null, 'claude', '-rid'),
    agent(9, null, 'claude', 'valid'),
  ];

  it('bears the mark of a run, says that it has it, or has its id among its arguments', () => {
    const runs = new Set(['run', 'later']);
    expect(pids(outlivedBy(all, { runs, conversation: 'id' }))).toEqual([1, 2, 3, 6, 7, 8]);
  });

  it('is nobody where neither is known', () => {
    const odd = [...all, agent(10, null, 'claude', '--null')];
    expect(pids(outlivedBy(odd, { runs: new Set(), conversation: null }))).toEqual([]);
  });
});

describe('whoever has not said yet which conversation it is in', () => {
  const [young, old] = [59_999, 60_000];
  const silent = (over: Partial<Silent>): Silent => ({
    ...{
      pid: 1,
      how: 'open',
      conversation: null,
      run: null,
      isTalking: true,
      ageMs: young,
      isUnasked: false,
    },
    ...over,
  });
  const isAny = (over: Partial<Silent>) => silentIn([silent(over)]).length > 0;

  it('may be in any that it can choose, for a minute whatever it says, and until it says one', () => {
    expect(isAny({ conversation: 'placeholder' })).toBe(true);
    expect(isAny({ conversation: 'other', ageMs: old })).toBe(false);
    expect(isAny({ ageMs: old })).toBe(true);
    expect(isAny({ ageMs: old, isTalking: false, run: 'run' })).toBe(true);
  });

  it('is waited for a minute where it names none, and not where rollcall started it or it talks to nobody', () => {
    expect(isAny({ how: 'new' })).toBe(true);
    expect(isAny({ how: 'new', conversation: 'its own' })).toBe(false);
    expect(isAny({ how: 'new', ageMs: old })).toBe(false);
    expect(isAny({ how: 'new', run: 'run' })).toBe(false);
    expect(isAny({ how: 'new', isTalking: false })).toBe(false);
  });

  it('is nobody who has one of its own', () => {
    expect(isAny({ how: 'own' })).toBe(false);
  });

  it('is whoever could not be asked, however long it runs', () => {
    for (const how of ['own', 'new', 'open'] as const) {
      expect(isAny({ how, ageMs: old, run: 'run', isUnasked: true })).toBe(true);
    }
  });

  it('tells who has just been started', () => {
    expect(silentIn([silent({ pid: 1 }), silent({ pid: 2, ageMs: old })])).toEqual([
      { pid: 1, isYoung: true },
      { pid: 2, isYoung: false },
    ]);
  });
});
