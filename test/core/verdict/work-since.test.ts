import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import { ALWAYS, type Beginnings, firstRecordOf, workSince } from '../../../src/core/verdict/work-since.ts';
import { HOUR, MINUTE, NOW, SECOND } from '../../support/evidence.ts';

const CREATED = NOW.at - HOUR;
const EVEN = { steppedMs: 0 };

describe('since when unsaved work may be of a session', () => {
  const since = (over: Partial<Beginnings>, clock: { steppedMs: number } | undefined = EVEN) =>
    workSince(
      { createdAt: CREATED, startedAt: [], deadAt: [], recordedAt: Number.POSITIVE_INFINITY, ...over },
      clock,
      NOW.at,
    );

  it('S31: takes the earliest beginning that is known', () => {
    expect(since({})).toBe(CREATED);
    expect(since({ startedAt: [CREATED + MINUTE], deadAt: [CREATED] })).toBe(CREATED);
    expect(since({ startedAt: [CREATED + MINUTE, CREATED - MINUTE] })).toBe(CREATED - MINUTE - SECOND);
    expect(since({ recordedAt: CREATED - HOUR })).toBe(CREATED - HOUR);
  });

  it('S31: counts everything where the clock or a dead pane contradicts the beginning', () => {
    expect(since({}, { steppedMs: HOUR })).toBe(ALWAYS);
    expect(since({ createdAt: NOW.at + 1 })).toBe(ALWAYS);
    expect(since({ deadAt: [CREATED - 1] })).toBe(ALWAYS);
    expect(since({ startedAt: [1] })).toBe(ALWAYS);
    const beginnings = { createdAt: CREATED, startedAt: [], deadAt: [], recordedAt: CREATED };
    expect(workSince(beginnings, undefined, NOW.at)).toBe(ALWAYS);
  });
});

describe('the first record of a session', () => {
  const place = (at: number) => ({
    server: { socketPath: '/tmp/tmux', pid: 1, startTicks: 1 },
    ...{ sessionId: '$1', createdAtSeconds: at / SECOND },
  });
  const facts = (key: string, over: Partial<SessionFacts> = {}): SessionFacts => ({
    ...{ key, name: key, origin: null, held: null, retained: null, completion: null },
    ...{ closing: null, closed: null, reopened: null },
    claims: { task: null, role: null, owner: null, branch: null, worktree: null, pr: null },
    ...over,
  });
  const origin = (how: 'started' | 'reopened', at: number) =>
    ({ at: at + MINUTE, sequence: 1, how, place: place(at) }) as const;
  const first = (...all: SessionFacts[]) => firstRecordOf('now', new Map(all.map((one) => [one.key, one])));
  const said = { at: CREATED, sequence: 2 };
  const reopened = (key: string) => ({ ...said, key });

  it('is none where the ledger has none', () => {
    expect(first()).toBe(Number.POSITIVE_INFINITY);
    expect(first(facts('now'))).toBe(Number.POSITIVE_INFINITY);
  });

  it('is whatever was recorded first', () => {
    expect(first(facts('now', { held: { ...said, reason: null } }))).toBe(CREATED);
    expect(first(facts('now', { origin: { ...origin('started', CREATED), place: null } }))).toBe(
      CREATED + MINUTE,
    );
    expect(first(facts('now', { origin: origin('started', CREATED), gates: [] }))).toBe(CREATED);
  });

  it('S31: is that of the session from which it was reopened, however often', () => {
    const chain = [
      facts('now', { origin: origin('reopened', CREATED) }),
      facts('before', { origin: origin('reopened', CREATED - HOUR), reopened: reopened('now') }),
      facts('first', { origin: origin('started', CREATED - 2 * HOUR), reopened: reopened('before') }),
    ];
    expect(first(...chain)).toBe(CREATED - 2 * HOUR);
  });

  it('S31: has always been there where the past of a reopened session is not known', () => {
    const now = facts('now', { origin: origin('reopened', CREATED) });
    expect(first(now)).toBe(ALWAYS);
    expect(first(now, facts('before', { reopened: reopened('now') }))).toBe(ALWAYS);
    const placeless = { ...origin('started', CREATED), place: null };
    expect(first(now, facts('before', { origin: placeless, reopened: reopened('now') }))).toBe(ALWAYS);
  });

  it('ends where sessions are said to follow each other in a circle', () => {
    const one = facts('now', { origin: origin('reopened', CREATED), reopened: reopened('other') });
    const other = facts('other', { origin: origin('reopened', CREATED - HOUR), reopened: reopened('now') });
    expect(first(one, other)).toBe(CREATED - HOUR);
  });
});
