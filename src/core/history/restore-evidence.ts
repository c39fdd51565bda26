import type { Moment } from '../text/moment.ts';
import type { Evidence } from '../verdict/evidence.ts';
import type { KeptPiece } from './kept-piece.ts';

/**
 * Evidence again, as the daemon would have seen it at `now` if nothing had changed since it was kept: it was still looking,
 * so what it saw is as fresh as it was then, and rest has grown. What others stamped keeps its time.
 */
export function restoreEvidence(pieces: Readonly<Record<string, KeptPiece>>, now: Moment): Evidence[] {
  return Object.values(pieces).map((piece) => restored(piece, now) as unknown as Evidence);
}

function restored({ ageMs = 0, ...piece }: KeptPiece, now: Moment): object {
  const seen = { ...piece, observedAt: now.at - ageMs };
  switch (piece.kind) {
    case 'pane':
      return { ...seen, source: 'tmux', title: '' };
    case 'processes':
      return {
        ...{ ...seen, source: 'process', processes: notesIn(piece) },
        ...unseenIn(piece),
      };
    case 'screen':
      return { ...seen, source: 'screen', tail: [] };
    case 'people':
      return peopleIn(piece, seen.observedAt, now.awakeMs - ageMs);
    case 'git':
      return { ...seen, source: 'git', facts: gitIn(piece, seen.observedAt), ...unseenIn(piece) };
    case 'history':
      return historyIn(piece, seen.observedAt, now.awakeMs - ageMs);
    case 'agent':
      return {
        ...seen,
        source: 'agent',
        gaps: [],
        ...(piece.isResumable ? { resume: [piece.agentKind] } : {}),
      };
    case 'agent-sign':
      return { ...seen, text: `kept from its ${piece.source}` };
    case 'sensor-unavailable':
      return { ...seen, text: `${piece.source} did not answer` };
    case 'mass-death':
      return { ...seen, source: 'history' };
    case 'clock':
      return { ...seen, source: 'host' };
    case 'standing':
      return { ...seen, source: 'declared', ...wordsIn(piece) };
  }
}

function unseenIn({ isUnseen }: KeptPiece): object {
  return isUnseen === true ? { unseen: 'its folder could not be seen' } : {};
}

function notesIn(piece: KeptPiece): object[] {
  return (piece.processes as { program: string }[]).map((note) => ({
    ...{ startTicks: 0, command: note.program, memoryBytes: 0 },
    ...note,
  }));
}

// Earlier versions kept only when somebody attached, and took that for when they were last there.
function peopleIn({ thereFromMs, ...piece }: KeptPiece, observedAt: number, awakeMs: number): object {
  const clients = (piece.clients as object[]).map((one) => ({ ...one, sessionId: '', tty: '', pid: 0 }));
  const seen = { ...piece, source: 'people', observedAt, clients };
  if (clients.length > 0) return { ...seen, awayMs: 0 };
  if (thereFromMs !== undefined) return { ...seen, awayMs: Math.max(0, awakeMs - Number(thereFromMs)) };
  const { lastAttachedAt } = piece;
  return lastAttachedAt === undefined
    ? seen
    : { ...seen, awayMs: Math.max(0, observedAt - Number(lastAttachedAt)) };
}

function gitIn(piece: KeptPiece, observedAt: number): object {
  const facts = piece.facts as KeptRepository & { below?: { unsaved: readonly KeptRepository[] } };
  const where = { cwd: '', root: '', isLinkedWorktree: false };
  const below = facts.below && { ...facts.below, unsaved: facts.below.unsaved.map(repositoryIn) };
  return { ...where, ...repositoryIn(facts), ...(below && { below }), observedAt };
}

interface KeptRepository {
  readonly branches?: readonly object[];
}

/** Names of branches and folders are not kept. */
function repositoryIn(kept: KeptRepository): object {
  const branches = kept.branches?.map((branch) => ({ ...branch, name: '' }));
  return { path: '', text: 'git failed', ...kept, ...(branches && { branches }) };
}

function historyIn(piece: KeptPiece, observedAt: number, awakeMs: number): object {
  const { kind, paneId, agentSeen, quietFromMs, isSeenOften, disturbedFromMs, isEntered } = piece;
  const { isUsed, restedAt } = piece;
  // Ages are rounded: what was seen just then must not have begun after it.
  const since = (fromMs: unknown) => Math.max(0, awakeMs - (fromMs as number));
  return {
    ...{ kind, source: 'history', observedAt, paneId, quietMs: since(quietFromMs) },
    // Two looks are as good as many.
    observations: isSeenOften ? 2 : 1,
    ...(agentSeen !== undefined && { agentSeen }),
    ...(disturbedFromMs !== undefined && { disturbedMs: since(disturbedFromMs) }),
    ...(isEntered === true && { entered: 'something was entered in it' }),
    ...(isUsed === true && { used: 'it was used since' }),
    ...(restedAt !== undefined && { restedAt }),
  };
}

// Where words were said, only that they were is kept.
function wordsIn({ held, retained, completion, gates }: KeptPiece): object {
  const said = completion as { blockers: object[] } | undefined;
  return {
    ...(held !== undefined && { held: { ...(held as object), reason: null } }),
    ...(retained !== undefined && { retained: { ...(retained as object), reason: null } }),
    ...(said && {
      completion: { ...said, evidence: null, blockers: said.blockers.map((one) => ({ ...one, text: '' })) },
    }),
    ...(gates !== undefined && { gates: (gates as { stale: object | null }[]).map(gateIn) }),
  };
}

function gateIn(gate: { readonly stale: object | null }): object {
  return { ...gate, task: null, missing: [], stale: gate.stale && { ...gate.stale, text: '' } };
}
