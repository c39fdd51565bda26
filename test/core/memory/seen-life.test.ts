import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { Expected } from '../../../src/core/memory/lost.ts';
import {
  followLife,
  isLeftBehind,
  isOvertaken as isOvertakenBy,
  type SeenLife,
  type SeenSession,
} from '../../../src/core/memory/seen-life.ts';

const OWN = 70;
const origin = {
  ...{ at: 5, sequence: 1, how: 'started' as const, pane: { paneId: '%7', pid: OWN } },
  place: {
    server: { socketPath: '/tmp/s', pid: 42, startTicks: 777 },
    sessionId: '$3',
    createdAtSeconds: 17,
  },
};
const facts = (over: Partial<SessionFacts> = {}): Expected => ({
  ...{ key: 'k', name: 'build', held: null, retained: null, completion: null },
  claims: { task: null, role: null, owner: null, branch: null, worktree: null, pr: null },
  ...{ closing: null, closed: null, reopened: null },
  ...over,
  origin,
});
const own = { pid: OWN, isDead: false };
const standing = (over: Partial<SeenSession> = {}): SeenSession => ({
  ...{ at: 9000, awakeMs: 500_000, activity: 'idle', hasAgent: false, panes: [own] },
  ...over,
});

describe('S58: another program was seen in a session', () => {
  const dead = { pid: OWN, isDead: true };
  const other = { pid: 99, isDead: false };
  const isOvertaken = (panes: SeenSession['panes'], before?: SeenLife) =>
    followLife(before, standing({ panes }), facts()).isOvertaken;

  it.each<[string, SeenSession['panes']]>([
    ['that lives', [other]],
    ['that has ended too', [{ ...other, isDead: true }]],
    ['beside its own, which has ended', [dead, other]],
  ])('%s', (_, panes) => {
    expect(isOvertaken(panes)).toBe(true);
  });

  it.each<[string, SeenSession['panes']]>([
    ['while its own lives', [own, other]],
    ['where its own stands dead', [dead]],
    ['where it shows nothing', []],
  ])('but does not count %s', (_, panes) => {
    expect(isOvertaken(panes)).toBeUndefined();
  });

  it('but not where nobody knows with which it began', () => {
    const { pane: _, ...unknown } = origin;
    const adopted = { ...facts(), origin: unknown };
    expect(followLife(undefined, standing({ panes: [other] }), adopted)).toEqual({});
  });

  it('but not any more where its agent was woken since', () => {
    const overtaken = followLife(undefined, standing({ panes: [other] }), facts());
    expect(overtaken).toEqual({ isOvertaken: true, overtakenPid: OWN });
    const woken = { ...facts(), origin: { ...origin, pane: { paneId: '%7', pid: other.pid } } };
    expect(isOvertakenBy(overtaken, woken)).toBe(false);
    expect(followLife(overtaken, standing({ panes: [other] }), woken)).toEqual({});
    expect(followLife(overtaken, standing({ panes: [own] }), facts())).toEqual(overtaken);
  });

  it('but not the sleeper that its program was woken from', () => {
    const woken = { ...facts(), origin: { ...origin, sleeper: other.pid } };
    expect(followLife(undefined, standing({ panes: [other] }), woken)).toEqual({});
  });

  it('and that stays so, whatever is seen afterwards', () => {
    for (const panes of [[own], [dead], []]) expect(isOvertaken(panes, { isOvertaken: true })).toBe(true);
  });
});

describe('S58: a session was seen at work after its completion', () => {
  const AT = 5000;
  const complete = (over: object = {}, more: Partial<SessionFacts> = {}) =>
    facts({ completion: { at: AT, sequence: 2, outcome: 'done', body: {}, ...over }, ...more });
  const follow = (seen: Partial<SeenSession>, known = complete(), before?: SeenLife) =>
    followLife(before, standing({ activity: 'working', ...seen }), known);

  it('and that stays so when it rests later', () => {
    const worked = follow({});
    expect(worked).toEqual({ workedAfter: AT });
    const rested = follow({ activity: 'idle' }, complete(), worked);
    expect(rested).toEqual({ workedAfter: AT });
    expect(isLeftBehind(rested, complete())).toBe(true);
  });

  it('but not after the next completion, nor after none', () => {
    expect(isLeftBehind({ workedAfter: AT }, complete({ at: AT + 1 }))).toBe(false);
    expect(isLeftBehind({ workedAfter: AT }, facts())).toBe(false);
    expect(isLeftBehind(undefined, complete())).toBe(false);
  });

  it.each<[string, SeenSession, Expected]>([
    ['at rest', standing(), complete()],
    ['without a completion', standing({ activity: 'working' }), facts()],
    ['with one that is not done', standing({ activity: 'working' }), complete({ outcome: 'failed' })],
    ['as its declaration is written', standing({ activity: 'working', at: AT + 2000 }), complete()],
  ])('does not count %s', (_, seen, known) => {
    expect(followLife(undefined, seen, known)).toEqual({});
  });

  it('by the clock that nobody can step, where it was noted', () => {
    const ahead = complete({ at: 900_000, awakeMs: 497_000 });
    expect(follow({}, ahead)).toEqual({ workedAfter: 900_000 });
    expect(follow({}, complete({ awakeMs: 498_000 }))).toEqual({});
  });

  describe('an agent that goes on after it has declared', () => {
    const agent = (word?: object): Partial<SeenSession> => ({
      hasAgent: true,
      panes: [{ ...own, ...(word && { word: { at: AT, ...word } }) }],
    });

    it('is in the same turn until it rests: that counts only while nothing later was seen', () => {
      const inTurn = follow(agent({}));
      expect(inTurn).toEqual({ inTurnAfter: AT });
      expect(isLeftBehind(inTurn, complete())).toBe(true);
      expect(follow({ ...agent({}), activity: 'idle' }, complete(), inTurn)).toEqual({});
    });

    it.each<[string, object | undefined]>([
      ['after it was at rest', { restedAt: AT + 1 }],
      ['after something else ended its word', { used: 'another turn' }],
      ['where the completion does not speak for it', undefined],
    ])('is in another one %s', (_, word) => {
      const beside = { pid: 71, isDead: false, word: { at: AT } };
      const { panes = [] } = agent(word);
      if (word) expect(follow({ hasAgent: true, panes: [...panes, beside] })).toEqual({ workedAfter: AT });
      expect(follow(agent(word))).toEqual({ workedAfter: AT });
    });
  });

  it('is work of another turn where no agent is there to go on', () => {
    const panes = [{ ...own, word: { at: AT } }];
    expect(follow({ panes })).toEqual({ workedAfter: AT });
  });

  it('while somebody closes it: as of that look alone', () => {
    const closing = complete({}, { closing: {} as never });
    expect(follow({}, closing)).toEqual({ inTurnAfter: AT });
  });
});
