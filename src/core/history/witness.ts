import type { Moment } from '../text/moment.ts';
import type { KeptPieces } from './kept-piece.ts';
import { GAP_MS, type HistoryRecord, type SeenRecord } from './record.ts';

/** A session as the records tell of it. */
export interface Witnessed
  extends Pick<SeenRecord, 'key' | 'name' | 'server' | 'memoryBytes' | 'verdict' | 'number'> {
  readonly seenAt: Moment;
  /** Null where a record before this one is missing: nothing is known until the next whole one. */
  readonly pieces: KeptPieces | null;
}

/** Time in which nobody looked: from the last record before it to the first after it. */
export interface Gap {
  readonly from: Moment;
  readonly to: Moment;
}

/** A session after one more record about it. */
export function witnessed(earlier: Witnessed | undefined, record: SeenRecord): Witnessed {
  const { key, name, server, memoryBytes, verdict, now: seenAt, number } = record;
  return { key, name, server, memoryBytes, verdict, seenAt, number, pieces: piecesAfter(earlier, record) };
}

function piecesAfter(earlier: Witnessed | undefined, record: SeenRecord): Witnessed['pieces'] {
  const { isWhole, pieces, dropped, number } = record;
  if (isWhole || pieces === null) return pieces;
  if (!earlier?.pieces || earlier.number !== number - 1) return null;
  const gone = new Set(dropped);
  const kept = Object.entries(earlier.pieces).filter(([subject]) => !gone.has(subject));
  return { ...Object.fromEntries(kept), ...pieces };
}

/**
 * The gap between two records that follow each other; null where somebody looked all the time. A daemon that was killed
 * left no word, so the next start tells, or a silence longer than any of its pauses; on the awake clock, since nothing is
 * missed while the machine sleeps.
 */
export function gapBetween(before: HistoryRecord, after: HistoryRecord): Gap | null {
  const elapsedMs = after.now.awakeMs - before.now.awakeMs;
  const isWatched = after.kind !== 'start' && before.kind !== 'stop' && elapsedMs >= 0 && elapsedMs <= GAP_MS;
  return isWatched ? null : { from: before.now, to: after.now };
}
