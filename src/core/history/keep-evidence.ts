import type { Moment } from '../text/moment.ts';
import type { Evidence, ProcessNote } from '../verdict/evidence.ts';
import { type KeptPiece, type KeptPieces, keptPiece } from './kept-piece.ts';

/** The evidence of a session, each piece under its subject; null where two pieces speak on the same one. */
export function keepEvidence(evidence: readonly Evidence[], now: Moment): KeptPieces | null {
  const kept: Record<string, KeptPiece> = {};
  for (const piece of evidence) {
    const subject = subjectOf(piece, kept);
    const part = keptPiece(prepared(piece, now));
    // Of what contradicts itself only one side would be left: better none.
    if (kept[subject] !== undefined || part === null) return null;
    kept[subject] = part;
  }
  return kept;
}

// Several signs of one source are no contradiction, and of failures each may have its own.
function subjectOf(piece: Evidence, kept: KeptPieces): string {
  const paneId = 'paneId' in piece ? ` ${piece.paneId}` : '';
  if (piece.kind !== 'agent-sign' && piece.kind !== 'sensor-unavailable') return `${piece.kind}${paneId}`;
  const first = `${piece.kind}${paneId} ${piece.source}`;
  let subject = first;
  for (let more = 2; kept[subject] !== undefined; more += 1) subject = `${first} ${more}`;
  return subject;
}

function prepared(piece: Evidence, now: Moment): object {
  const trueAgeMs = now.at - piece.observedAt;
  const awakeMs = now.awakeMs - trueAgeMs;
  const ageMs = roundedAge(trueAgeMs);
  const seen = ageMs === 0 ? piece : { ...piece, ageMs };
  switch (piece.kind) {
    case 'processes':
      return { ...seen, processes: piece.processes.map(measured), ...unseenIn(piece) };
    case 'git':
      return { ...seen, ...unseenIn(piece) };
    case 'history':
      return {
        ...seen,
        // A point on the awake clock instead of a duration: it stays as it is while nothing happens.
        quietFromMs: Math.round(awakeMs - piece.quietMs),
        isSeenOften: piece.observations >= 2,
        ...(piece.disturbedMs !== undefined && {
          disturbedFromMs: Math.round(awakeMs - piece.disturbedMs),
        }),
        ...(piece.entered !== undefined && { isEntered: true }),
        ...(piece.used !== undefined && { isUsed: true }),
      };
    case 'people': {
      const { awayMs } = piece;
      // While somebody is there it would be another in every round.
      const isAway = piece.clients.length === 0 && awayMs !== undefined;
      return isAway ? { ...seen, thereFromMs: Math.round(awakeMs - awayMs) } : seen;
    }
    case 'agent':
      return { ...seen, isResumable: (piece.resume?.length ?? 0) > 0 };
    case 'agent-sign':
      // Of what happened the time counts, and not when it was read.
      return piece.isLive || piece.since !== undefined ? seen : { ...seen, since: piece.observedAt };
    default:
      return seen;
  }
}

// Rounded away from zero, so that nothing too old becomes fresh. Within a second counts as this round.
function roundedAge(ageMs: number): number {
  if (Math.abs(ageMs) <= 1000) return 0;
  return (ageMs > 0 ? Math.ceil(ageMs / 1000) : Math.floor(ageMs / 1000)) * 1000;
}

// Rounded down: what is below a threshold stays below it.
function measured(note: ProcessNote): ProcessNote {
  const { cpuPercent, ioBytesPerSecond } = note;
  return {
    ...note,
    ...(cpuPercent !== undefined && { cpuPercent: Math.floor(cpuPercent * 100) / 100 }),
    ...(ioBytesPerSecond !== undefined && { ioBytesPerSecond: Math.floor(ioBytesPerSecond) }),
  };
}

// Folders are not kept, nor who works in them.
function unseenIn({ unseen }: { readonly unseen?: string }): object {
  return unseen === undefined ? {} : { isUnseen: true };
}
