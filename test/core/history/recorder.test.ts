import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printOf } from '../../../src/core/history/print.ts';
import type { HistoryRecord, SeenRecord } from '../../../src/core/history/record.ts';
import { Recorder } from '../../../src/core/history/recorder.ts';
import { type Witnessed, witnessed } from '../../../src/core/history/witness.ts';
import type { Pressure } from '../../../src/core/pressure/judge-pressure.ts';
import type { JudgedSignal } from '../../../src/core/pressure/judge-signal.ts';
import type { Reading } from '../../../src/core/pressure/reading.ts';
import type { Evidence, ProcessNote } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  client,
  clock,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  massDeath,
  NOW,
  named,
  note,
  pane,
  people,
  processes,
  type Repository,
  screen,
  shell,
  sign,
  standing,
  unavailable,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { piece } from '../arbitrary-evidence.ts';
import { available, silent, stall } from '../pressure/readings.ts';
import { judged, later, pressure, reapEvent, round, seenAt } from './rounds.ts';

const recorder = () => new Recorder({ freshMs: 15_000 });
const kinds = (records: readonly HistoryRecord[]) => records.map(({ kind }) => kind);

/** What is recorded of one session in two rounds, the second one so much later. */
function twoRounds(first: readonly Evidence[], second: readonly Evidence[], ms: number): SeenRecord[] {
  const own = recorder();
  own.round(round(NOW, { sessions: [judged('build', first)] }));
  const now = later(ms);
  const records = own.round(round(now, { sessions: [judged('build', seenAt(second, now), now)] }));
  return records.filter((record) => record.kind === 'seen');
}

function withoutCount(facts: ReturnType<typeof git>['facts']) {
  const { unpushedCommits: _, ...rest } = facts as Extract<typeof facts, { state: 'repository' }>;
  return rest;
}

describe('what is recorded of a session', () => {
  test('is everything at first, and nothing while nothing changes', () => {
    const own = recorder();
    const first = own.round(round(NOW, { sessions: [judged('build', idleAgent())] }));
    expect(kinds(first)).toEqual(['pressure', 'mode', 'seen']);
    expect(first[2]).toMatchObject({
      isWhole: true,
      number: 0,
      name: 'build',
      server: 'default',
      dropped: [],
    });
    for (let second = 2; second < 60; second += 2) {
      const now = later(second * 1000);
      expect(own.round(round(now, { sessions: [judged('build', seenAt(idleAgent(), now), now)] }))).toEqual(
        [],
      );
    }
  });

  test('is told whole again after half an hour, so that a lost line costs no more', () => {
    expect(twoRounds(idleAgent(), idleAgent(), 31 * MINUTE)).toMatchObject([{ isWhole: true, number: 1 }]);
  });

  const where = { path: 'a', isSubmodule: false, changedAt: 1 };
  const inner = { ...(git({ dirtyFiles: 1 }).facts as Repository), ...where };
  const broken = { ...where, state: 'failed', text: 'git failed' } as const;
  // Past its time, so that the verdict stays as it is.
  const gate = { at: 1, id: 'g-1', task: null, expiresAt: 2, missing: [], stale: null };
  const STATES: readonly (readonly [string, Evidence])[] = [
    ['a pane that died', pane({ isDead: true, exitStatus: 0 })],
    ['copy mode', pane({ isFullScreen: true, isInMode: true })],
    ['a prompt', screen({ isPromptEmpty: false })],
    ['a person', people({ clients: [client()] })],
    ['a person who left', people({ lastAttachedAt: NOW.at - 1 })],
    ['uncommitted files', git({ dirtyFiles: 1 })],
    ['another branch', git({ branches: [{ name: 'a', commits: 1, changedAt: 1, isOwn: true }] })],
    ['an operation in progress', git({ operation: 'rebase' })],
    ['another branch of others', git({ branches: [{ name: 'a', changedAt: 1, isOwn: false }] })],
    ['a repository below', git({ below: { count: 1, unsaved: [inner], isCut: false } })],
    ['a repository below that fails', git({ below: { count: 1, unsaved: [broken], isCut: false } })],
    ['a branch without a remote', { ...git(), facts: withoutCount(git().facts) }],
    ['a folder without git', { ...git(), facts: { state: 'none', cwd: '/', observedAt: NOW.at } }],
    ['no way to resume', named({ resume: [] })],
    ['a turn', word({ turn: 'running' })],
    ['a dialog', word({ waitingFor: 'permission' })],
    ['a draft', word({ hasDraft: true })],
    ['a failed sensor', unavailable('git')],
    ['a mass death', massDeath()],
    ['a hold', standing({ held: { at: 1, reason: null } })],
    ['a broken project file', standing({ brokenProject: '/a/.rollcall.json is empty' })],
    ['a role', standing({ claims: { role: 'lead' } })],
    ['a completion', standing({ completion: { at: 1, outcome: 'failed', evidence: null, blockers: [] } })],
    ['a wish to keep it', standing({ retained: { at: 1, until: 2, reason: null } })],
    ['work that is to be finished', standing({ gates: [gate] })],
    ['work that was let go', standing({ gates: [{ ...gate, stale: { at: 9, code: 'x', text: '' } }] })],
    ['a close', standing({ closing: { at: 1 } })],
  ];
  test.each(STATES)('is told at once: %s', (_what, piece) => {
    const [record] = twoRounds(idleAgent(), withPieces(idleAgent(), piece), 2000);
    expect(record).toMatchObject({ isWhole: false, number: 1 });
    expect(Object.values(record?.pieces ?? {}).map(({ kind }) => kind)).toContain(piece.kind);
    expect(JSON.stringify(record?.pieces)).not.toContain('"kind":"clock"');
  });

  test('is told at once: that work which was known is let go', () => {
    const stale = { at: 9, code: 'x', text: '' };
    const before = withPieces(idleAgent(), standing({ gates: [gate] }));
    const after = withPieces(idleAgent(), standing({ gates: [{ ...gate, stale }] }));
    expect(twoRounds(before, after, 2000)).toMatchObject([{ isWhole: false }]);
    expect(twoRounds(before, before, 2000)).toEqual([]);
  });

  test('is told: that what left the tree turned out to serve the whole login', () => {
    const left = note({ pid: 900, program: 'ssh-agent', relation: 'outside' });
    const seen = (one: ProcessNote) => judged('build', withPieces(idleAgent(), processes([note(), one])));
    const [before, after] = [seen(left), seen({ ...left, isKeeper: true })];
    expect(printOf(after, NOW, 15_000)).not.toEqual(printOf(before, NOW, 15_000));
  });

  const MOTIONS: readonly (readonly [string, Evidence])[] = [
    ['output', pane({ isFullScreen: true, lastOutputAt: NOW.at - 50 * MINUTE })],
    ['a child', processes([shell(), agent(), note({ pid: 301, parentPid: 300, helper: 'MCP server' })])],
    ['CPU', processes([shell(), agent({ cpuPercent: 60 })])],
    ['storage', processes([shell(), agent({ ioBytesPerSecond: 300_000 })])],
    ['a disturbance', history({ agentSeen: 'claude', quietMs: 50 * MINUTE, disturbedMs: 50 * MINUTE })],
    ['an event', word({ since: NOW.at - 1000 })],
    ['suspend', clock({ suspendedMs: HOUR })],
  ];
  test.each(MOTIONS)('is told within half a minute, and not in every round: %s', (_what, piece) => {
    const moved = withPieces(idleAgent(), piece);
    expect(twoRounds(idleAgent(), moved, 2000)).toEqual([]);
    expect(twoRounds(idleAgent(), moved, 30_000)).toMatchObject([{ isWhole: false, number: 1 }]);
  });

  test('does not follow ages, the jitter of CPU, or memory', () => {
    const first = withPieces(idleAgent(), processes([shell(), agent({ cpuPercent: 1 })]));
    const second = withPieces(idleAgent(), processes([shell(), agent({ cpuPercent: 3, memoryBytes: 9 })]));
    expect(twoRounds(first, second, 20 * MINUTE)).toEqual([]);
  });

  test('typing moves it once a minute', () => {
    const typing = (at: number) =>
      withPieces(idleAgent(), people({ clients: [client({ lastInputAt: at })] }));
    expect(twoRounds(typing(NOW.at - 30_000), typing(NOW.at), 40_000)).toHaveLength(1);
    expect(twoRounds(typing(NOW.at), typing(NOW.at + 9), 40_000)).toEqual([]);
  });

  test('changes on top of each other give what a whole one would have given', () => {
    const own = recorder();
    const looks = [
      idleAgent(),
      withPieces(idleAgent(), word({ turn: 'running' })),
      without(idleAgent(), 'git', 'screen'),
      withPieces(idleAgent(), people({ clients: [client()] })),
    ];
    let session: Witnessed | undefined;
    for (const [index, evidence] of looks.entries()) {
      const now = later(index * 40_000);
      const sessions = [judged('build', seenAt(evidence, now), now)];
      for (const record of own.round(round(now, { sessions }))) {
        if (record.kind === 'seen') session = witnessed(session, record);
      }
      const [whole] = recorder()
        .round(round(now, { sessions }))
        .filter((record) => record.kind === 'seen');
      expect(session?.pieces).toEqual((whole as SeenRecord).pieces);
    }
  });

  test('S37: a change whose base was lost tells nothing until the next whole one', () => {
    const own = recorder();
    const records = [0, 1, 2].flatMap((index) => {
      const now = later(index * 40_000);
      const evidence = withPieces(idleAgent(), word({ background: index }));
      return own
        .round(round(now, { sessions: [judged('build', seenAt(evidence, now), now)] }))
        .filter((record) => record.kind === 'seen');
    });
    const [first, , third] = records as [SeenRecord, SeenRecord, SeenRecord];
    expect(witnessed(witnessed(undefined, first), third).pieces).toBeNull();
    expect(witnessed(undefined, third).pieces).toBeNull();
    expect(witnessed(witnessed(undefined, third), { ...first, number: 3 }).pieces).toEqual(first.pieces);
  });

  test('nothing is built on evidence that contradicts itself', () => {
    const torn = [...idleAgent(), pane({ isInMode: true })];
    expect(twoRounds(idleAgent(), torn, 2000)).toMatchObject([{ pieces: null, isWhole: true, dropped: [] }]);
  });

  test('what could not be written is told again', () => {
    const own = recorder();
    const sessions = [judged('build', idleAgent())];
    const first = own.round(round(NOW, { sessions }));
    own.forget();
    expect(own.round(round(NOW, { sessions }))).toEqual(first);
  });
});

describe('that a session is gone', () => {
  const gone = (last: readonly Evidence[], over = {}) => {
    const own = recorder();
    own.round(round(NOW, { sessions: [judged('build', last, NOW, over)] }));
    return own.round(round(later(2000)));
  };

  test('is told once, and whether rollcall closed it', () => {
    expect(gone(idleAgent())).toMatchObject([
      { kind: 'gone', key: 'key-build', name: 'build', how: 'ended' },
    ]);
    expect(gone(withPieces(idleAgent(), standing({ closing: { at: 1 } })))).toMatchObject([
      { how: 'closed' },
    ]);
  });

  test('has ended where it went with its program, although the roll still shows it', () => {
    const own = recorder();
    own.round(round(NOW, { sessions: [judged('build', [standing()], NOW)] }));
    const ended = { exitStatus: 3, exitSignal: null, endedAt: NOW.at, lines: [] };
    const gone = judged('build', [standing()], later(2000), { lifecycle: 'stale', ended });
    expect(own.round(round(later(2000), { sessions: [gone] }))).toMatchObject([
      { kind: 'gone', how: 'ended' },
    ]);
  });

  test('is told when it is lost, although the roll still shows it', () => {
    const own = recorder();
    own.round(round(NOW, { sessions: [judged('build', idleAgent())] }));
    const lost = { sessions: [judged('build', [standing()], later(2000), { lifecycle: 'lost' })] };
    expect(own.round(round(later(2000), lost))).toMatchObject([{ kind: 'gone', how: 'lost' }]);
    expect(own.round(round(later(4000), lost))).toEqual([]);
  });
});

describe('what is recorded besides sessions', () => {
  test('S50: starts and stops, so that it is known when nobody looked', () => {
    const own = recorder();
    expect(own.started(NOW)).toEqual([{ kind: 'start', now: NOW }]);
    expect(own.stopped(later(1000))).toEqual([{ kind: 'stop', now: later(1000) }]);
  });

  test('S50: a beat once a minute while nothing happens, so that a kill is known to the minute', () => {
    const own = recorder();
    const records = Array.from({ length: 90 }, (_, index) => own.round(round(later(index * 2000)))).flat();
    expect(kinds(records)).toEqual(['pressure', 'mode', 'beat', 'beat']);
  });

  test('S48: events of the reaper, each once, without a raw control character', () => {
    const event = reapEvent({
      kind: 'vetoed',
      text: 'kept\u001b[2J',
      session: { key: 'k', name: 'a\u202eb' },
    });
    const whole = reapEvent({ kind: 'mode-changed', session: null });
    const records = recorder().round(round(NOW, { events: [event, whole] }));
    expect(records.filter(({ kind }) => kind === 'reap')).toMatchObject([
      { event: { kind: 'vetoed', text: 'kept\\e[2J', session: { name: 'a\\u{202e}b' } } },
      { event: { kind: 'mode-changed', session: null } },
    ]);
  });

  test('the mode, when it changes', () => {
    const own = recorder();
    own.round(round(NOW));
    expect(own.round(round(later(1000), { mode: 'enforce' }))).toMatchObject([
      { kind: 'mode', mode: 'enforce' },
    ]);
  });

  const signal = (reading: Reading): JudgedSignal => ({
    ...{ key: reading.signal, reading, thresholds: null, compared: null, reached: null, keeps: 'normal' },
    ...{ heldMs: { moderate: null, critical: null }, track: null },
  });
  const short = (...readings: Reading[]): Pressure => pressure('normal', { signals: readings.map(signal) });

  test('the pressure: its tier at once, its values after a real move', () => {
    const own = recorder();
    const told = (ms: number, seen: Pressure) =>
      own.round(round(later(ms), { pressure: seen })).filter(({ kind }) => kind === 'pressure');
    expect(
      told(0, short(available(8), stall('some', 1, 1, 1), silent('stall-full', 'absent'))),
    ).toMatchObject([
      { tier: 'normal', availableBytes: expect.any(Number), stallSomePercent: 1, stallFullPercent: null },
    ]);
    expect(told(1000, short(available(7.9), stall('some', 2, 1, 1)))).toEqual([]);
    expect(told(2000, short(available(4), stall('some', 2, 1, 1)))).toEqual([]);
    expect(told(40_000, short(available(4), stall('some', 2, 1, 1)))).toHaveLength(1);
    expect(told(80_000, short(available(4), stall('some', 9, 1, 1)))).toHaveLength(1);
    expect(told(81_000, pressure('critical'))).toMatchObject([{ tier: 'critical', availableBytes: null }]);
    const calming = { ...pressure('critical').reason, code: 'calming' } as const;
    expect(told(82_000, pressure('critical', { reason: calming }))).toHaveLength(1);
  });
});

test('signs without a pane, a version or a word are told apart', () => {
  const first = withPieces(idleAgent(), sign({ source: 'title' }));
  expect(
    twoRounds(first, withPieces(first, sign({ source: 'title', isVerified: false })), 1000),
  ).toHaveLength(1);
});

test('the order of evidence means nothing to the print, and what is left out is no change', () => {
  const entry = fc.array(piece, { maxLength: 6 }).map((evidence) => judged('build', evidence));
  fc.assert(
    fc.property(entry, (one) => {
      const turned = { ...one, evidence: one.evidence.toReversed(), memoryBytes: 1 };
      expect(printOf(turned, NOW, 15_000)).toEqual(printOf(one, NOW, 15_000));
    }),
  );
});

test('bare evidence is recorded too', () => {
  const { lastOutputAt: _, isFullScreen: __, ...bare } = pane({ exitSignal: 'TERM', isDead: true });
  const { lastAttachedAt: ___, ...nobody } = people({ clients: [client()] });
  const { resume: ____, ...nameless } = named();
  const { paneId: _____, ...whole } = unavailable('tmux');
  const evidence = [bare, nobody, nameless, whole, screen({ isPromptEmpty: null })];
  const parts = { sessions: [judged('build', evidence)] };
  const other = { ...round(NOW, parts), changes: [] };
  const problem = {
    number: 1,
    at: NOW.at,
    kind: 'problem',
    isOver: false,
    problem: { code: 'x', text: 'y' },
  } as const;
  const records = recorder().round({ ...other, changes: [problem] });
  expect(kinds(records)).toEqual(['pressure', 'mode', 'seen']);
  expect(records[2]).toMatchObject({ pieces: { 'agent %1': { isResumable: false } } });
});
