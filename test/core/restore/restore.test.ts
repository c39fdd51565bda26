import { describe, expect, it } from 'vitest';
import { broughtAlong, leftBehind } from '../../../src/core/close/brought-along.ts';
import { lostSession } from '../../../src/core/close/find-receipt.ts';
import { currentFacts, type SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import type { ProgramEnd } from '../../../src/core/memory/ended.ts';
import {
  isLostWithServer,
  missingIn,
  missingNotes,
  offeredIn,
  offerNote,
  offerText,
  takenByBoot,
  untoldIn,
} from '../../../src/core/restore/offer.ts';
import { overSince } from '../../../src/core/restore/over.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { entry } from '../close/entry.ts';
import { chained, KEY } from '../ledger/sample-chain.ts';

const lost = (over: Partial<SessionEntry> = {}) => entry([], { lifecycle: 'lost', lostBy: 'ended', ...over });
const end = (exitStatus: number | null, exitSignal: string | null = null): ProgramEnd => ({
  ...{ exitStatus, exitSignal, endedAt: 1, lines: [] },
});

describe('what was lost with its server', () => {
  it('went with the server or a boot, and not alone', () => {
    const by = (['restarted', 'replaced', 'ended', 'missing', undefined] as const).map((lostBy) => {
      const { lostBy: _, ...rest } = lost();
      return isLostWithServer({ ...rest, ...(lostBy && { lostBy }) });
    });
    expect(by).toEqual([true, true, true, false, false]);
  });

  it('was not gone before its server', () => {
    const went = (over: Partial<SessionEntry>) => isLostWithServer(lost({ missedAt: 5, ...over }));
    expect(went({})).toBe(false);
    expect(went({ lostBy: 'restarted' })).toBe(false);
    expect(went({ lifecycle: 'stale', ended: end(143) })).toBe(false);
  });

  it('did not end by itself; a signal on the way down is no end of its own', () => {
    const ended = (one: ProgramEnd) => isLostWithServer(lost({ lifecycle: 'stale', ended: one }));
    expect([end(null, '15'), end(null, 'SIGHUP'), end(null, 'kill'), end(143)].map(ended)).toEqual([
      ...[true, true, true, true],
    ]);
    expect([end(0), end(1), end(null), end(null, '11')].map(ended)).toEqual([false, false, false, false]);
    expect(isLostWithServer(lost({ lifecycle: 'closed', ended: end(143) }))).toBe(false);
    expect(isLostWithServer(lost({ lifecycle: 'stale' }))).toBe(false);
  });

  it('did not end long before its server was last seen', () => {
    const seen = (serverSeenAt: number) =>
      isLostWithServer(lost({ lifecycle: 'stale', ended: end(143), serverSeenAt }));
    expect([0, 60_000, 60_001].map(seen)).toEqual([true, true, false]);
  });

  it('is offered once', () => {
    const all = [lost(), lost({ key: 'k2', name: 'two' }), entry([])];
    const offered = offeredIn(all);
    expect(offered).toHaveLength(2);
    expect(offerText(offered)).toBe('2 sessions were lost with their tmux server: rollcall restore');
    expect(offerText([1])).toBe('1 session was lost with its tmux server: rollcall restore');
    expect(offerNote(offered, new Set())).toMatchObject({
      ...{
        kind: 'note',
        action: 'restore-offer',
        body: { count: 2, sessions: [{}, { key: 'k2', name: 'two' }] },
      },
    });
    expect(offerNote(offered, new Set([lost().key]))).not.toBeNull();
    expect(offerNote(offered, new Set([lost().key, 'k2']))).toBeNull();
    expect(offerNote([], new Set())).toBeNull();
  });

  it('comes back by itself only after a boot, and where nobody was told of it before', () => {
    const all = [lost({ key: 'a', lostBy: 'restarted' }), lost({ key: 'b' }), lost({ lostBy: 'replaced' })];
    expect(takenByBoot(all, new Set()).map(({ key }) => key)).toEqual(['a']);
    expect(takenByBoot(all, new Set(['a']))).toEqual([]);
  });

  it('is known as offered from then on, also much later', () => {
    const adopted: EntryDraft = { kind: 'declared', action: 'adopt', session: { key: KEY, name: 'build' } };
    const note = offerNote([lost({ key: KEY }), lost({ key: 'unknown' })], new Set()) as EntryDraft;
    const facts = currentFacts(chained([adopted, note, note]));
    expect(facts.get(KEY)?.offered).toEqual({ at: 1001, sequence: 2 });
    expect(facts.has('unknown')).toBe(false);
    expect(currentFacts(chained([adopted, { ...note, action: 'test' }])).get(KEY)?.offered).toBeUndefined();
    const broken = { ...note, body: { sessions: [{ name: 'x' }, 'y'] } };
    expect(currentFacts(chained([adopted, broken])).get(KEY)?.offered).toBeUndefined();
  });
});

it('what nobody saw is known as offered: it does not come back by itself', () => {
  const session = { key: KEY, name: 'build' };
  const run = (body: object) =>
    currentFacts(
      chained([
        { kind: 'intent', action: 'run', session: { key: null, name: 'build' }, body: {} },
        { kind: 'outcome', action: 'run', session, cause: 1, body: { result: 'done', ...body } },
      ]),
    ).get(KEY);
  expect(run({ isUnseen: true })?.offered).toEqual({ at: 1001, sequence: 2 });
  expect(run({})?.offered).toBeUndefined();
});

describe('a session that was gone before its server', () => {
  const session = { key: KEY, name: 'build' };
  const adopted: EntryDraft = { kind: 'declared', action: 'adopt', session, body: {} };
  const gone = lost({ key: KEY, name: 'build', lostBy: 'missing' });

  it('is told of by its lostBy alone', () => {
    expect(missingIn([gone, lost(), entry([])])).toEqual([gone]);
  });

  it('is noted once, and the time of the first note counts', () => {
    const [note, ...others] = missingNotes([gone], currentFacts(chained([adopted])));
    expect(others).toEqual([]);
    expect(note).toMatchObject({ kind: 'note', action: 'session-missing', session });
    const facts = currentFacts(chained([adopted, note as EntryDraft, note as EntryDraft]));
    expect(facts.get(KEY)?.missing).toEqual({ at: 1001, sequence: 2 });
    expect(missingNotes([gone], facts)).toEqual([]);
  });

  it('is not noted where it is not known, was closed, or was brought back', () => {
    const closed: EntryDraft = { kind: 'receipt', action: 'close', session, body: { receipt: 'r' } };
    const back: EntryDraft[] = [
      { kind: 'intent', action: 'reopen', session, body: { reopens: KEY } },
      {
        ...{ kind: 'outcome', action: 'reopen', session: { key: 'next', name: 'build' }, cause: 2 },
        body: { result: 'done' },
      },
    ];
    for (const drafts of [[], [adopted, closed], [adopted, ...back]])
      expect(missingNotes([gone], currentFacts(chained(drafts)))).toEqual([]);
  });
});

describe('a session that was listed as lost', () => {
  const since = { at: 1, sequence: 1 };
  const was = (over: Partial<SessionFacts> = {}) =>
    ({ key: 'k', name: 'build', completion: null, closed: null, reopened: null, ...over }) as SessionFacts;
  const now = (...facts: SessionFacts[]) => new Map(facts.map((one) => [one.key, one]));
  const over = (facts: ReadonlyMap<string, SessionFacts>, seen?: SessionEntry, isNamed = false) =>
    overSince({ facts: was(), isNamed }, { facts, entry: seen });

  it('is still to be brought back', () => {
    expect(over(now(was()))).toBeNull();
    expect(over(now(was()), lost())).toBeNull();
    const completion = { ...since, outcome: 'done', body: {} };
    const before = { facts: was({ completion }), isNamed: false };
    expect(overSince(before, { facts: now(was({ completion })) })).toBeNull();
  });

  it('is not where it was brought back, closed, completed or has ended since', () => {
    const reopened = { ...since, key: 'next' };
    expect(over(now(was({ reopened })))).toBe('it was brought back meanwhile');
    expect(over(now(was({ reopened }), was({ key: 'next', name: 'two' })))).toBe(
      "it was brought back meanwhile: session 'two'",
    );
    expect(over(now(was({ closed: { ...since, receipt: 'r1' } })))).toContain('closed meanwhile: receipt r1');
    expect(over(now(was({ completion: { ...since, outcome: 'done', body: {} } })))).toContain('complete');
    expect(over(now())).toContain('closed or brought back');
    expect(over(now(was()), lost({ lifecycle: 'stale', ended: end(0) }))).toContain('ended by itself');
  });

  it('is wanted however it went where it was named', () => {
    expect(over(now(was()), lost({ lostBy: 'missing' }))).not.toBeNull();
    expect(over(now(was()), lost({ lostBy: 'missing' }), true)).toBeNull();
  });
});

describe('what comes along to the session that takes its place', () => {
  const now = { at: 1_000_000, awakeMs: 1_000_000, suspendedMs: 0 };
  const since = { at: 1, sequence: 1 };
  const facts = (over: Partial<SessionFacts>) =>
    ({ held: null, retained: null, closed: null, completion: null, ...over }) as SessionFacts;
  const held = { ...since, reason: 'mine' };

  it('is a hold and a retention that still runs, of one that nobody closed', () => {
    expect(broughtAlong(facts({}), false, now)).toEqual({});
    expect(broughtAlong(facts({ held }), false, now)).toEqual({ held: { reason: 'mine' } });
    expect(broughtAlong(facts({ held }), true, now)).toEqual({});
    expect(broughtAlong(facts({ held, closed: { ...since, receipt: 'r' } }), false, now)).toEqual({});
    const kept = (until: number | null) =>
      broughtAlong(facts({ retained: { ...since, until, reason: null } }), false, now);
    expect(kept(2_000_000)).toEqual({ retained: { until: 2_000_000, reason: null } });
    expect(kept(null)).toEqual({ retained: { until: null, reason: null } });
    expect([kept(1_000_000), kept(999_999)]).toEqual([{}, {}]);
  });

  it('is in the ledger with the session itself', () => {
    const next = { key: 'next', name: 'build' };
    const reopened = (body: object) =>
      currentFacts(
        chained([
          {
            kind: 'intent',
            action: 'reopen',
            session: { key: KEY, name: 'build' },
            body: { reopens: KEY, ...body },
          },
          { kind: 'outcome', action: 'reopen', session: next, cause: 1, body: { result: 'done' } },
        ]),
      ).get('next');
    expect(reopened({ held: { reason: 'mine' }, retained: { until: 9, reason: 'why' } })).toMatchObject({
      held: { sequence: 2, reason: 'mine' },
      retained: { sequence: 2, until: 9, reason: 'why' },
    });
    expect(reopened({})).toMatchObject({ held: null, retained: null });
  });

  it('is no completion, and that is said', () => {
    const completion = { ...since, outcome: 'done', body: {} };
    expect(leftBehind(facts({ completion }))).toHaveLength(1);
    expect(leftBehind(facts({}))).toEqual([]);
    expect(leftBehind(facts({ completion, closed: { ...since, receipt: 'r' } }))).toEqual([]);
  });
});

describe('from what a lost session is made', () => {
  const of = (key: string, name = 'build') => ({ key, name });
  const find = (key: string, ...drafts: EntryDraft[]) => {
    const entries = chained(drafts);
    return lostSession(currentFacts(entries).get(key) as SessionFacts, entries);
  };
  const run: EntryDraft[] = [
    { kind: 'intent', action: 'run', session: { key: null, name: 'build' }, body: { cwd: '/p' } },
    { kind: 'outcome', action: 'run', session: of('k1'), cause: 1, body: { result: 'done' } },
  ];
  const reopened = (receipt: string | null, at: number): EntryDraft[] => [
    { kind: 'intent', action: 'reopen', session: of('k1'), body: { receipt, reopens: 'k1', cwd: '/q' } },
    { kind: 'outcome', action: 'reopen', session: of('k2'), cause: at, body: { result: 'done', receipt } },
  ];
  const receipt = (result: string): EntryDraft => ({
    ...{ kind: 'receipt', action: 'close', session: of('k1'), body: { receipt: 'r1', result } },
  });

  it('one that rollcall started: its start', () => {
    expect(find('k1', ...run)).toMatchObject({ receipt: null, start: { body: { cwd: '/p' } } });
  });

  it('one that was reopened: its start, and the receipt that it was made from', () => {
    expect(find('k2', ...run, receipt('closed'), ...reopened('r1', 4))).toMatchObject({
      ...{ facts: { key: 'k2' }, receipt: { body: { receipt: 'r1' } }, start: { body: { cwd: '/q' } } },
    });
    expect(find('k2', ...run, ...reopened(null, 3))).toMatchObject({
      receipt: null,
      start: { body: { cwd: '/q' } },
    });
    expect(find('k2', ...run, receipt('partial'), ...reopened('r1', 4))).toMatchObject({ receipt: null });
  });

  it('one that was adopted: nothing of the ledger', () => {
    const adopted: EntryDraft = { kind: 'declared', action: 'adopt', session: of('k3'), body: {} };
    expect(find('k3', adopted)).toMatchObject({ facts: { key: 'k3' }, receipt: null, start: null });
  });
});

it('nobody can tell of sessions whose server gives no answer', () => {
  const place = { server: { socketPath: '/s' } };
  const facts = (over: object) =>
    ({ key: 'k', origin: { place }, closed: null, reopened: null, ...over }) as unknown as SessionFacts;
  const problems = [{ code: 'server-timeout', text: 'no answer', socketPath: '/s' }];
  const elsewhere = [
    { ...problems[0]!, socketPath: '/other' },
    { code: 'x', text: 'y' },
  ];
  expect(untoldIn({ problems, sessions: [] }, [facts({})])).toEqual(problems);
  expect(untoldIn({ problems: elsewhere, sessions: [] }, [facts({})])).toEqual([]);
  expect(untoldIn({ problems, sessions: [] }, [facts({ closed: {} }), facts({ origin: null })])).toEqual([]);
  expect(untoldIn({ problems, sessions: [lost({ key: 'k' })] }, [facts({})])).toEqual([]);
  const unknown = [lost({ key: 'k', lifecycle: 'unknown' })];
  expect(untoldIn({ problems, sessions: unknown }, [facts({})])).toEqual(problems);
});
