import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  client,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  named,
  note,
  POLICY,
  pane,
  people,
  processes,
  shell,
  standing,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { later, reapEvent } from '../history/rounds.ts';
import { ago, Past, REAPER, tryOn } from './past.ts';

/** Idle for so long at NOW. */
function idleFor(ms: number, ...pieces: readonly Evidence[]): Evidence[] {
  const rest = [
    pane({ isFullScreen: true, lastOutputAt: ago(ms) }),
    history({ agentSeen: 'claude', quietMs: ms }),
  ];
  return withPieces(withPieces(idleAgent(), ...rest), ...pieces);
}

/** A turn that began so long after NOW. */
function turn(ms: number): Evidence[] {
  const at = NOW.at + ms;
  return withPieces(
    idleAgent(),
    word({ turn: 'running', since: at }),
    pane({ isFullScreen: true, lastOutputAt: at }),
    history({ agentSeen: 'claude', quietMs: -ms, disturbedMs: -ms }),
  );
}

describe('a replay', () => {
  test('closes what the reaper would have closed under that pressure, after its confirm window and its grace', () => {
    const past = new Past()
      .shows('build', idleFor(HOUR))
      .pressed('critical')
      .passes(10 * MINUTE);
    const { closes, recorded, sessions, pressedMs } = past.tried();
    expect(closes).toMatchObject([
      { name: 'build', server: 'default', relief: 'safe-to-close', tier: 'critical', lent: [] },
    ]);
    const [close] = closes;
    expect(close?.at).toBeGreaterThanOrEqual(NOW.at + REAPER.confirmMs + REAPER.graceMs);
    expect(close?.at).toBeLessThan(NOW.at + REAPER.confirmMs + REAPER.graceMs + MINUTE);
    expect(close?.memoryBytes).toBe(300 * 1024 ** 2);
    expect([recorded, sessions, pressedMs]).toEqual([[], 1, 10 * MINUTE]);
  });

  test('closes nothing while memory was not short, and would have if it had been', () => {
    const past = new Past().shows('build', idleFor(HOUR)).passes(10 * MINUTE);
    expect(past.tried()).toMatchObject({ closes: [], pressedMs: 0, kept: [] });
    expect(past.tried({ tier: 'critical' }).closes).toHaveLength(1);
    expect(past.tried({ tier: 'moderate' }).closes).toHaveLength(1);
  });

  test('ages what did not change: it becomes due by itself', () => {
    const past = new Past()
      .shows('build', idleFor(5 * MINUTE))
      .pressed('critical')
      .passes(30 * MINUTE);
    const [close] = past.tried().closes;
    expect(close).toMatchObject({ relief: 'long-idle' });
    expect(close?.at).toBeGreaterThanOrEqual(NOW.at + 10 * MINUTE);
    expect(past.tried({ reaper: { ...REAPER, idleAfterMs: 2 * HOUR }, tier: 'critical' }).closes).toEqual([]);
  });

  test('S48: never closes work, a person, a draft, what is held or protected, and says what kept them', () => {
    const past = new Past().pressed('critical');
    past.shows('works', idleFor(HOUR, word({ turn: 'running' })));
    past.shows('asks', idleFor(HOUR, word({ waitingFor: 'permission' })));
    past.shows('watched', idleFor(HOUR, people({ clients: [client()] })));
    past.shows('drafted', idleFor(HOUR, word({ hasDraft: true })));
    past.shows('held', idleFor(HOUR, standing({ held: { at: 1, reason: null } })));
    past.shows('foreign', idleFor(HOUR, standing({ isManaged: false })));
    past.shows('torn', [...idleFor(HOUR), pane({ isInMode: true })]);
    past.shows(
      'children',
      idleFor(HOUR, processes([shell(), agent(), note({ pid: 400, relation: 'background' })])),
    );
    past.shows('crew-1', idleFor(HOUR));
    past.passes(20 * MINUTE);
    const { closes, kept } = past.tried({
      protectedBy: (name) => (name === 'crew-1' ? 'crew-*' : undefined),
    });
    expect(closes).toEqual([]);
    expect(kept.map(({ code }) => code).sort()).toEqual([
      ...['attached', 'held', 'human-managed', 'not-known', 'not-managed'],
      ...['nothing-unsent', 'unknown', 'waiting', 'working'],
    ]);
    expect(past.tried().closes).toMatchObject([{ name: 'crew-1' }]);
  });

  test('protects by the patterns that are tried, not by those of that time', () => {
    const past = new Past().shows('crew-1', idleFor(HOUR, standing({ protectedBy: 'crew-*' })));
    past.pressed('critical').passes(10 * MINUTE);
    expect(past.tried().closes).toHaveLength(1);
  });

  test('takes no more than the budget of an hour, one after the other', () => {
    const past = new Past().pressed('critical');
    for (let index = 0; index < 5; index += 1) past.shows(`s${index}`, idleFor(HOUR));
    past.passes(30 * MINUTE);
    const { closes } = past.tried({ reaper: { ...REAPER, perHour: 2 } });
    expect(closes).toHaveLength(2);
    expect((closes[1]?.at ?? 0) - (closes[0]?.at ?? 0)).toBeGreaterThanOrEqual(
      REAPER.graceMs + REAPER.settleMs,
    );
    expect(past.tried().closes).toHaveLength(5);
  });

  test('gives the same answer every time', () => {
    const past = new Past()
      .shows('a', idleFor(HOUR))
      .shows('b', idleFor(2 * HOUR))
      .pressed('critical');
    past
      .passes(20 * MINUTE)
      .shows('b', null)
      .passes(MINUTE);
    expect(past.tried()).toEqual(past.tried());
  });

  test('begins where it was asked to, with everything as it stood then', () => {
    const past = new Past().shows('build', idleFor(HOUR)).pressed('critical');
    past
      .passes(10 * MINUTE)
      .killedFor(10 * MINUTE)
      .passes(10 * MINUTE);
    const since = later(21 * MINUTE).at;
    const { closes, gaps, from, watchedMs } = past.tried({ since });
    expect(closes[0]?.at).toBeGreaterThanOrEqual(since + REAPER.confirmMs + REAPER.graceMs - MINUTE);
    expect([gaps, from]).toEqual([[], expect.any(Number)]);
    expect(from).toBeGreaterThanOrEqual(since);
    expect(watchedMs).toBeLessThan(10 * MINUTE);
    expect(past.tried().gaps).toHaveLength(1);
  });

  test('counts only closes since the time that was asked for', () => {
    const past = new Past().shows('build', idleFor(HOUR)).pressed('critical');
    past.passes(10 * MINUTE, [reapEvent()]);
    expect(past.tried({ since: later(HOUR).at })).toMatchObject({ closes: [], recorded: [] });
  });

  test('S50: no confirm window and no grace reaches across time in which nobody looked', () => {
    const past = new Past().shows('build', idleFor(HOUR)).pressed('critical');
    // Each stretch is shorter than window and grace together.
    for (let times = 0; times < 5; times += 1) past.passes(2.5 * MINUTE).killedFor(10 * MINUTE);
    const { closes, gaps, watchedMs } = past.tried();
    expect(closes).toEqual([]);
    expect(gaps).toHaveLength(5);
    expect(watchedMs).toBeLessThan(15 * MINUTE);
  });

  test('S50: a long silence of the same daemon is such a time too', () => {
    const past = new Past()
      .shows('build', idleFor(HOUR))
      .pressed('critical')
      .passes(2 * MINUTE);
    past.passes(0, [], 20 * MINUTE).passes(2 * MINUTE);
    expect(past.tried()).toMatchObject({ closes: [], gaps: [{}] });
  });

  test('S37: a session of which a record is missing is not known, and never closed', () => {
    const past = new Past().shows('build', idleFor(HOUR)).pressed('critical').passes(MINUTE);
    past.shows('build', idleFor(HOUR, word({ background: 1 }))).passes(MINUTE);
    past.shows('build', idleFor(HOUR)).passes(10 * MINUTE);
    expect(past.tried().closes).toHaveLength(1);
    const seen = past.records.filter(({ kind }) => kind === 'seen');
    expect(seen).toHaveLength(3);
    expect(tryOn(past.records.filter((record) => record !== seen[1])).closes).toEqual([]);
  });

  test('of nothing finds nothing', () => {
    expect(tryOn([])).toMatchObject({
      from: null,
      to: null,
      closes: [],
      recorded: [],
      sessions: 0,
      watchedMs: 0,
    });
  });
});

describe('proof that was not asked for under the policy of that time', () => {
  const cheap = (ms: number) => without(idleFor(ms), 'git', 'screen');

  test('is lent from a later look into the same quiet time', () => {
    const policy = { ...POLICY, idleAfterMs: 20 * MINUTE };
    const past = new Past()
      .shows('build', cheap(10 * MINUTE))
      .pressed('moderate')
      .passes(35 * MINUTE);
    past.shows('build', idleFor(10 * MINUTE)).passes(5 * MINUTE);
    const [close] = past.tried({ policy }).closes;
    expect(close).toMatchObject({ relief: 'safe-to-close', lent: ['git', 'screen'] });
    expect(close?.at).toBeLessThan(NOW.at + 20 * MINUTE);
  });

  test('is not lent across something that happened', () => {
    const policy = { ...POLICY, idleAfterMs: 20 * MINUTE };
    const past = new Past()
      .shows('build', cheap(10 * MINUTE))
      .pressed('moderate')
      .passes(35 * MINUTE);
    past.shows('build', turn(36 * MINUTE)).passes(MINUTE);
    past
      .shows('build', withPieces(idleAgent(), history({ agentSeen: 'claude', quietMs: -37 * MINUTE })))
      .passes(MINUTE);
    expect(past.tried({ policy }).closes).toEqual([]);
  });

  test('is not there where no look ever took it', () => {
    const past = new Past()
      .shows('build', cheap(HOUR))
      .pressed('critical')
      .passes(10 * MINUTE);
    expect(past.tried()).toMatchObject({ closes: [{ relief: 'long-idle', lent: [] }] });
    const unsaid = withPieces(cheap(HOUR), word({ isReady: false }));
    const silent = new Past()
      .shows('build', unsaid)
      .pressed('critical')
      .passes(10 * MINUTE);
    expect(silent.tried()).toMatchObject({ closes: [], kept: [{ code: 'nothing-unsent', sessions: 1 }] });
  });

  test('is not missed where it is there', () => {
    const past = new Past().shows('build', idleFor(HOUR)).passes(MINUTE);
    past.shows('build', idleFor(HOUR, named({ resume: [] }))).passes(MINUTE);
    past.shows('build', without(idleFor(HOUR), 'history')).passes(MINUTE);
    expect(past.tried({ tier: 'critical' }).closes).toEqual([]);
  });
});

describe('what happened later', () => {
  const closedThen = () =>
    new Past()
      .shows('build', idleFor(HOUR))
      .pressed('critical')
      .passes(10 * MINUTE);
  const outcome = (past: Past) => past.tried().closes.map(({ aftermath }) => aftermath);

  test('a new turn', () => {
    const past = closedThen()
      .passes(3 * HOUR)
      .shows('build', turn(3 * HOUR + 11 * MINUTE))
      .passes(MINUTE);
    expect(outcome(past)).toMatchObject([{ kind: 'used-again', how: 'turn' }]);
    const [used] = outcome(past);
    expect(used?.kind === 'used-again' && used.afterMs).toBeGreaterThan(3 * HOUR);
  });

  test('a turn that began and ended between two records', () => {
    const past = closedThen()
      .shows('build', idleFor(HOUR, word({ since: NOW.at + 9 * MINUTE })))
      .passes(MINUTE);
    expect(outcome(past)).toMatchObject([{ how: 'turn' }]);
  });

  test.each([
    ['who attached', people({ clients: [client()] })],
    ['who was there', people({ lastAttachedAt: NOW.at + 9 * MINUTE })],
    ['who holds it', standing({ held: { at: NOW.at + 9 * MINUTE, reason: null } })],
    ['who wants it kept', standing({ retained: { at: NOW.at + 9 * MINUTE, until: null, reason: null } })],
  ])('a person %s', (_who, piece) => {
    expect(outcome(closedThen().shows('build', idleFor(HOUR, piece)).passes(MINUTE))).toMatchObject([
      { kind: 'used-again', how: 'person' },
    ]);
  });

  test.each([
    ['output', pane({ isFullScreen: true, lastOutputAt: NOW.at + 9 * MINUTE })],
    ['work', history({ agentSeen: 'claude', quietMs: -9 * MINUTE, disturbedMs: -9 * MINUTE })],
  ])('other activity: %s', (_what, piece) => {
    expect(outcome(closedThen().shows('build', idleFor(HOUR, piece)).passes(MINUTE))).toMatchObject([
      { kind: 'used-again', how: 'activity' },
    ]);
  });

  test('it went without having been used again', () => {
    expect(outcome(closedThen().shows('build', null).passes(MINUTE))).toMatchObject([
      { kind: 'went-unused', by: 'others' },
    ]);
    const closing = idleFor(HOUR, standing({ closing: { at: 1 } }));
    expect(
      outcome(closedThen().shows('build', closing).passes(MINUTE).shows('build', null).passes(MINUTE)),
    ).toMatchObject([{ kind: 'went-unused', by: 'rollcall' }]);
  });

  test('it was still there, and not used, when the record ended', () => {
    const [still] = outcome(
      closedThen()
        .passes(2 * HOUR)
        .stopped(),
    );
    expect(still?.kind).toBe('still-there');
    expect(still?.kind === 'still-there' && still.watchedMs).toBeGreaterThan(2 * HOUR);
  });

  test('what contradicts itself is no use of it', () => {
    const torn = [...idleFor(HOUR), pane({ isInMode: true })];
    expect(outcome(closedThen().shows('build', torn).passes(MINUTE))).toMatchObject([
      { kind: 'still-there' },
    ]);
  });

  test('S50: it went while nobody looked, so that nobody knows', () => {
    const past = closedThen()
      .shows('build', null)
      .shows('other', idleFor(1000))
      .killedFor(HOUR)
      .passes(MINUTE);
    expect(outcome(past)).toMatchObject([{ kind: 'went-unseen' }]);
  });

  test('S50: it is still the same session after the daemon was away', () => {
    const past = closedThen().killedFor(HOUR).passes(MINUTE);
    expect(outcome(past)).toMatchObject([{ kind: 'still-there' }]);
  });
});

describe('what the policy of that time did', () => {
  test('is set beside it, with what happened later', () => {
    const past = new Past()
      .shows('build', idleFor(HOUR))
      .passes(MINUTE, [
        reapEvent({ kind: 'chosen' }),
        reapEvent({ kind: 'would-close' }),
        reapEvent({ kind: 'closed', session: { key: 'key-gone', name: 'gone' } }),
        reapEvent({ kind: 'closed', session: null }),
      ]);
    past.shows('build', turn(2 * MINUTE)).passes(MINUTE);
    expect(past.tried().recorded).toMatchObject([
      { kind: 'would-close', name: 'build', server: 'default', aftermath: { kind: 'used-again' } },
      { kind: 'closed', name: 'gone', server: '', aftermath: { kind: 'still-there' } },
    ]);
  });

  test('is set beside it also where both say the same', () => {
    const past = new Past()
      .shows('build', idleFor(HOUR))
      .pressed('critical')
      .passes(10 * MINUTE);
    past.passes(MINUTE, [reapEvent(), reapEvent()]).shows('build', null).passes(MINUTE);
    const { closes, recorded } = past.tried();
    expect(closes).toHaveLength(1);
    expect(recorded).toMatchObject([{ aftermath: { kind: 'went-unused' } }, { server: 'default' }]);
  });
});
