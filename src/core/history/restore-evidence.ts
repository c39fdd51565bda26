import type { BelowSighting, GitSighting } from '../sight/sighting.ts';
import type { Moment } from '../text/moment.ts';
import type { Evidence, HistoryEvidence, PeopleEvidence, StandingEvidence } from '../verdict/evidence.ts';
import type { KeptPiece, KeptPieces } from './kept-piece.ts';

/**
 * Evidence again, as the daemon would have seen it at `now` if nothing had changed since it was kept: it was still looking,
 * so what it saw is as fresh as it was then, and rest has grown. What others stamped keeps its time.
 */
export function restoreEvidence(pieces: KeptPieces, now: Moment): Evidence[] {
  return Object.values(pieces).map((piece) => restored(piece, now));
}

type Kept<K extends KeptPiece['kind']> = Extract<KeptPiece, { kind: K }>;

function restored({ ageMs = 0, ...kept }: KeptPiece, now: Moment): Evidence {
  const piece = { ...kept, observedAt: now.at - ageMs };
  const { observedAt } = piece;
  const awakeMs = now.awakeMs - ageMs;
  switch (piece.kind) {
    case 'pane': {
      const { asleep, ...pane } = piece;
      const sleep = asleep && { asleep: { ...asleep, ...NOT_KEPT.sleep } };
      return { ...pane, source: 'tmux', title: '', ...sleep };
    }
    case 'processes': {
      const { terminalUsers: users, ...seen } = piece;
      const processes = piece.processes.map((note) => ({
        ...NOT_KEPT.process,
        command: note.program,
        ...note,
      }));
      const terminalUsers = users?.map((user) => ({ ...user, startTicks: 0, command: user.program })) ?? null;
      return {
        ...seen,
        source: 'process',
        processes,
        ...(users !== undefined && { terminalUsers }),
        ...unseenIn(piece),
      };
    }
    case 'screen':
      return { ...piece, source: 'screen', tail: [] };
    case 'people':
      return peopleIn(piece, observedAt, awakeMs);
    case 'git':
      return { ...piece, source: 'git', facts: gitIn(piece.facts, observedAt), ...unseenIn(piece) };
    case 'history':
      return historyIn(piece, observedAt, awakeMs);
    case 'agent':
      return { ...piece, source: 'agent', gaps: [], ...(piece.isResumable && { resume: [piece.agentKind] }) };
    case 'agent-sign':
      return { ...piece, text: `kept from its ${piece.source}` };
    case 'sensor-unavailable':
      return { ...piece, text: `${piece.source} did not answer` };
    case 'mass-death':
      return { ...piece, source: 'history' };
    case 'clock':
      return { ...piece, source: 'host' };
    case 'standing':
      return standingIn(piece, observedAt);
  }
}

const NOT_KEPT = {
  sleep: { receipt: '', agentKind: null, conversation: null, freedBytes: null },
  process: { startTicks: 0, memoryBytes: 0 },
};

function unseenIn({ isUnseen }: { readonly isUnseen?: true }): { unseen?: string } {
  return isUnseen ? { unseen: 'its folder could not be seen' } : {};
}

// Earlier versions kept only when somebody attached, and took that for when they were last there.
function peopleIn(
  { thereFromMs, ...piece }: Kept<'people'>,
  observedAt: number,
  awakeMs: number,
): PeopleEvidence {
  const clients = piece.clients.map((one) => ({ ...one, sessionId: '', tty: '', pid: 0 }));
  const seen = { ...piece, source: 'people', observedAt, clients } as const;
  if (clients.length > 0) return { ...seen, awayMs: 0 };
  if (thereFromMs !== undefined) return { ...seen, awayMs: Math.max(0, awakeMs - thereFromMs) };
  const { lastAttachedAt } = piece;
  return lastAttachedAt === undefined ? seen : { ...seen, awayMs: Math.max(0, observedAt - lastAttachedAt) };
}

type KeptFacts = Kept<'git'>['facts'];
type KeptRepository = Extract<KeptFacts, { state: 'repository' }>;
type KeptBelow = NonNullable<KeptRepository['below']>;

function gitIn(kept: KeptFacts, observedAt: number): GitSighting {
  const seen = { cwd: '', observedAt };
  if (kept.state === 'failed') return { ...kept, ...seen, text: FAILED };
  const { below, ...facts } = kept;
  const more = { ...seen, ...(below && { below: { ...below, unsaved: below.unsaved.map(belowIn) } }) };
  if (facts.state === 'none') return { ...facts, ...more };
  return { ...namesLeftOut(facts), ...more, root: '', isLinkedWorktree: false };
}

const FAILED = 'git failed';

function belowIn(kept: KeptBelow['unsaved'][number]): BelowSighting {
  return kept.state === 'failed' ? { ...kept, path: '', text: FAILED } : { ...namesLeftOut(kept), path: '' };
}

/** Names of branches and folders are not kept. */
function namesLeftOut<T extends Pick<KeptRepository, 'branches'>>({ branches, ...facts }: T) {
  return { ...facts, ...(branches && { branches: branches.map((branch) => ({ ...branch, name: '' })) }) };
}

function historyIn(piece: Kept<'history'>, observedAt: number, awakeMs: number): HistoryEvidence {
  const { kind, paneId, agentSeen, quietFromMs, isSeenOften, disturbedFromMs, restedAt } = piece;
  // Ages are rounded: nothing may begin after it was seen.
  const since = (fromMs: number) => Math.max(0, awakeMs - fromMs);
  return {
    kind,
    source: 'history',
    observedAt,
    paneId,
    quietMs: since(quietFromMs),
    // Two looks are as good as many.
    observations: isSeenOften ? 2 : 1,
    ...(agentSeen !== undefined && { agentSeen }),
    ...(disturbedFromMs !== undefined && { disturbedMs: since(disturbedFromMs) }),
    ...(piece.isEntered && { entered: 'something was entered in it' }),
    ...(piece.isUsed && { used: 'it was used since' }),
    ...(restedAt !== undefined && { restedAt }),
  };
}

// Where words were said, only that they were is kept.
function standingIn(
  { held, retained, completion, gates, ...piece }: Kept<'standing'>,
  observedAt: number,
): StandingEvidence {
  return {
    ...piece,
    source: 'declared',
    observedAt,
    ...(held && { held: { ...held, reason: null } }),
    ...(retained && { retained: { ...retained, reason: null } }),
    ...(completion && {
      completion: {
        ...completion,
        evidence: null,
        blockers: completion.blockers.map((one) => ({ ...one, text: '' })),
      },
    }),
    ...(gates && {
      gates: gates.map(({ stale, ...gate }) => ({
        ...gate,
        task: null,
        missing: [],
        stale: stale && { ...stale, text: '' },
      })),
    }),
  };
}
