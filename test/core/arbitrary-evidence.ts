import fc from 'fast-check';
import { SIGN_SOURCES } from '../../src/core/agent/sign.ts';
import type { BelowSighting } from '../../src/core/sight/sighting.ts';
import type { Completion, Declared, DeclaredGate } from '../../src/core/verdict/declared.ts';
import type { Evidence, ProcessNote } from '../../src/core/verdict/evidence.ts';
import type { Source } from '../../src/core/verdict/verdict.ts';
import { WAITING_FOR } from '../../src/core/verdict/verdict.ts';
import {
  client,
  clock,
  DAY,
  deadPane,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  massDeath,
  NOW,
  named,
  note,
  onPane,
  POLICY,
  pane,
  people,
  plainShell,
  processes,
  type Repository,
  screen,
  shell,
  sign,
  sleepingAgent,
  spoken,
  standing,
  unavailable,
  withPieces,
  word,
} from '../support/evidence.ts';

const SOURCES: readonly Source[] = [
  ...(['tmux', 'process', 'people', 'git', 'history', 'declared', 'host', ...SIGN_SOURCES] as const),
];

const paneId = fc.constantFrom('%1', '%2', '%10');
const age = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: -1000, max: POLICY.freshMs }) },
  { weight: 1, arbitrary: fc.constantFrom(-1001, -HOUR, POLICY.freshMs + 1, DAY) },
);
const observedAt = age.map((ms) => NOW.at - ms);
const pastAt = fc.constantFrom(0, 1000, HOUR, 2 * HOUR, 9 * HOUR, 3 * DAY).map((ms) => NOW.at - ms);
const durationMs = fc.constantFrom(0, 1000, 20_000, HOUR, 7 * HOUR, 3 * DAY);
const count = fc.constantFrom(0, 0, 0, 1, 3);
const seen = { observedAt, paneId };

/** A process among few pids, so that trees, cycles and strangers all occur; pids from 900 on never do. */
export const processNote: fc.Arbitrary<ProcessNote> = fc
  .record({
    pid: fc.constantFrom(100, 200, 300, 301),
    parentPid: fc.constantFrom(1, 100, 200, 300, 301),
    role: fc.constantFrom('shell', 'shell', 'agent', 'interactive', 'remote', 'wrapper', 'command'),
    relation: fc.constantFrom('root', 'root', 'foreground', 'background', 'stopped', 'outside'),
    startedAt: pastAt,
    cpuPercent: fc.constantFrom(0, 3, 90),
    ioBytesPerSecond: fc.constantFrom(0, 1_000_000),
  })
  .map(({ cpuPercent, ioBytesPerSecond, ...over }) => ({
    ...note({ ...over, program: over.role }),
    ...(over.role === 'agent' && { agentKind: 'claude' }),
    ...(cpuPercent > 0 && { cpuPercent }),
    ...(ioBytesPerSecond > 0 && { ioBytesPerSecond }),
  }));

/** The failure of any sensor, on one pane or on the whole session. */
export const failure: fc.Arbitrary<Evidence> = fc
  .record({ source: fc.constantFrom(...SOURCES), observedAt, paneId: fc.option(paneId, { nil: undefined }) })
  .map(({ source, observedAt: at, paneId: id }) =>
    unavailable(source, { observedAt: at, ...(id !== undefined && { paneId: id }) }),
  );

const gitPiece = fc
  .record({
    ...seen,
    state: fc.constantFrom('repository', 'repository', 'none', 'failed'),
    dirtyFiles: count,
    stashes: count,
    unpushedCommits: fc.option(count, { nil: undefined }),
    isMerged: fc.boolean(),
    hasRemote: fc.boolean(),
    branches: fc.array(
      fc.record({ name: fc.constant('b'), commits: count, changedAt: count, isOwn: fc.boolean() }),
    ),
    inner: fc.array(
      fc.record({ isSubmodule: fc.boolean(), changedAt: count, isFailed: fc.boolean(), dirtyFiles: count }),
    ),
    since: fc.option(count, { nil: undefined }),
  })
  .map(({ state, observedAt: at, paneId: id, unpushedCommits, inner, since, ...over }): Evidence => {
    const where = { cwd: '/project', observedAt: at };
    const piece = { ...git(), paneId: id, observedAt: at, ...(since !== undefined && { since }) };
    const { unpushedCommits: _, ...base } = git().facts as Repository;
    const unsaved = inner.map(({ isFailed, dirtyFiles, ...one }): BelowSighting => {
      const place = { ...one, path: 'inner' };
      return isFailed
        ? { ...place, state: 'failed', text: 'git failed' }
        : { ...base, dirtyFiles, unpushedCommits: 0, ...place };
    });
    const below = unsaved.length > 0 && { below: { count: unsaved.length, unsaved, isCut: false } };
    if (state === 'none') return { ...piece, facts: { state, ...where, ...below } };
    if (state === 'failed') return { ...piece, facts: { state, ...where, text: 'git failed' } };
    const facts = { ...base, ...over, ...below, ...(unpushedCommits !== undefined && { unpushedCommits }) };
    return { ...piece, facts: facts as Repository };
  });

/** One source's word on an agent, telling anything and leaving anything out. */
export const signPiece: fc.Arbitrary<Evidence> = fc
  .record(
    {
      ...seen,
      source: fc.constantFrom(...SIGN_SOURCES),
      agentPid: fc.constantFrom(300, 300, 301, 999),
      isLive: fc.boolean(),
      isVerified: fc.constantFrom(true, true, false),
      since: pastAt,
      turn: fc.constantFrom('running', 'over', 'over'),
      waitingFor: fc.constantFrom(null, null, ...WAITING_FOR),
      background: count,
      hasDraft: fc.boolean(),
      isReady: fc.boolean(),
    },
    { requiredKeys: ['observedAt', 'paneId', 'source', 'agentPid', 'isLive', 'isVerified'] },
  )
  .map(sign);

const EVERYTHING = ['%1', '%2', '%10'].map((one) => spoken({ paneId: one }));

/** A completion, accepted, refused or failed, just now or long ago. */
export const completion: fc.Arbitrary<Completion> = fc.record(
  {
    at: pastAt,
    outcome: fc.constantFrom('done', 'done', 'done', 'failed'),
    evidence: fc.constantFrom(null, 'pr 7'),
    blockers: fc.constantFrom([], [], [{ code: 'clean', text: '2 files' }]),
    speaksFor: fc.constantFrom(EVERYTHING, EVERYTHING, EVERYTHING, [spoken()]),
  },
  { requiredKeys: ['at', 'outcome', 'evidence', 'blockers'] },
);

/** Work that its owner is to finish, let go or not, with time or without. */
export const gate: fc.Arbitrary<DeclaredGate> = fc.record({
  ...{ at: pastAt, id: fc.constantFrom('g-1', 'g-2'), task: fc.constantFrom(null, 'fix it') },
  expiresAt: fc.constantFrom(NOW.at - HOUR, NOW.at, NOW.at + HOUR),
  missing: fc.constantFrom([], ['tests fail']),
  stale: fc.constantFrom(null, { at: NOW.at - HOUR, code: 'budget-spent', text: 'three times' }),
});

/** Anything that may be declared about a session. */
const declared: fc.Arbitrary<Declared> = fc.record(
  {
    claims: fc.record({ role: fc.constantFrom('worker', 'lead') }),
    held: fc.record({ at: pastAt, reason: fc.constantFrom(null, 'mine') }),
    retained: fc.record({
      at: pastAt,
      until: fc.constantFrom(null, NOW.at - HOUR, NOW.at + HOUR),
      reason: fc.constantFrom(null, 'review'),
    }),
    completion,
    closing: fc.record({ at: pastAt }),
    gates: fc.array(gate, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

/** Any single piece of evidence. */
export const piece: fc.Arbitrary<Evidence> = fc.oneof(
  fc
    .record({
      ...seen,
      isDead: fc.boolean(),
      isAdrift: fc.constantFrom(false, false, true),
      exitStatus: fc.constantFrom(0, 0, 1),
      lastOutputAt: pastAt,
      isFullScreen: fc.boolean(),
      isInMode: fc.constantFrom(false, false, true),
      isWindowShared: fc.constantFrom(false, false, true),
      title: fc.constantFrom('', 'DONE'),
    })
    .map(({ isAdrift, ...over }) =>
      pane({ ...over, ...(isAdrift && !over.isDead && { hasNoTerminal: true as const }) }),
    ),
  fc
    .record({ ...seen, notes: fc.array(processNote, { maxLength: 5 }) })
    .map(({ notes, ...over }) => processes(notes, over)),
  fc
    .record({
      ...seen,
      isPromptEmpty: fc.constantFrom(true, false, null),
      tail: fc.constantFrom([], ['done']),
    })
    .map(screen),
  fc
    .record({
      observedAt,
      clients: fc.array(
        fc.boolean().map((isControl) => client({ isControl })),
        { maxLength: 1 },
      ),
      isThroughGroup: fc.boolean(),
      lastAttachedAt: pastAt,
      awayMs: durationMs,
    })
    .map(people),
  gitPiece,
  fc
    .record(
      { ...seen, observations: fc.nat({ max: 5 }), quietMs: durationMs, agentSeen: fc.constant('claude') },
      { requiredKeys: ['observedAt', 'paneId', 'observations', 'quietMs'] },
    )
    .map(history),
  fc
    .record(
      {
        ...{ ...seen, observations: fc.nat({ max: 5 }), quietMs: durationMs, disturbedMs: durationMs },
        entered: fc.constant('something was entered in it'),
      },
      { requiredKeys: ['observedAt', 'paneId', 'observations', 'quietMs', 'disturbedMs'] },
    )
    .map(history),
  fc
    .record({
      ...seen,
      agentPid: fc.constantFrom(300, 300, 301, 999),
      gaps: fc.constant([]),
      resume: fc.constantFrom([], ['claude']),
    })
    .map(named),
  signPiece,
  signPiece,
  failure,
  fc.record({ observedAt }).map(massDeath),
  fc.record({ observedAt, suspendedMs: durationMs, steppedMs: durationMs }).map(clock),
  fc
    .tuple(fc.record({ observedAt, isOwnSession: fc.boolean(), isManaged: fc.boolean() }), declared)
    .map(([over, said]) => standing({ ...over, ...said })),
);

const done = (agoMs: number) => ({
  ...{ at: NOW.at - agoMs, outcome: 'done', evidence: null, blockers: [], speaksFor: EVERYTHING },
});
const recent = pane({ lastOutputAt: NOW.at - 1000 });
const known = fc.constantFrom(
  ...[idleAgent(), idleAgent(), exitedAgent(), exitedAgent(), deadPane(), plainShell()],
  ...[sleepingAgent(), sleepingAgent({ isDead: true, exitStatus: 0 })],
  ...[withPieces(idleAgent(), recent), withPieces(exitedAgent(), recent)],
  withPieces(idleAgent(), word({ waitingFor: 'question' })),
  withPieces(plainShell(), processes([shell(), note()])),
  withPieces(exitedAgent(), word()),
  withPieces(idleAgent(), recent, standing({ completion: done(3 * HOUR) })),
  withPieces(idleAgent(), standing({ completion: done(2 * HOUR) })),
  withPieces(exitedAgent(), standing({ completion: done(0) })),
  ...[withPieces(idleAgent(), git({ dirtyFiles: 2 })), withPieces(exitedAgent(), git({ stashes: 1 }))],
);
const session = fc.tuple(known, fc.option(known, { freq: 2 })).map(([first, second]) =>
  second
    ? [
        ...first,
        ...onPane(
          '%2',
          second.filter((one) => 'paneId' in one),
        ),
      ]
    : first,
);

/** A list of evidence: pure noise, or a session as it really looks with a little missing and a little noise added. */
export const evidence: fc.Arbitrary<Evidence[]> = fc.oneof(
  { weight: 1, arbitrary: fc.array(piece, { maxLength: 12 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(session, fc.array(piece, { maxLength: 2 }), fc.array(fc.nat({ max: 15 }), { maxLength: 2 }))
      .map(([whole, noise, gaps]) => [...whole.filter((_, index) => !gaps.includes(index)), ...noise]),
  },
);
