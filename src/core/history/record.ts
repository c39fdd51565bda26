import type { Tier } from '../pressure/tier.ts';
import type { ReapMode } from '../reaper/mode.ts';
import type { ReapEvent } from '../reaper/standing.ts';
import type { Moment } from '../text/moment.ts';
import type { Activity, Lifecycle, WaitingFor } from '../verdict/verdict.ts';
import type { KeptPiece } from './kept-piece.ts';

/** The verdict of that time. */
export interface SeenVerdict {
  readonly activity: Activity;
  readonly waitingFor: WaitingFor | null;
  readonly lifecycle: Lifecycle;
  readonly since: number;
}

/** A session as one round saw it. */
export interface SeenRecord {
  readonly kind: 'seen';
  readonly now: Moment;
  readonly key: string;
  readonly name: string;
  /** Label of its server. */
  readonly server: string;
  readonly memoryBytes: number | null;
  readonly verdict: SeenVerdict;
  /** Counts the records of one session, from 0: a change builds on the one before it. */
  readonly number: number;
  /** Everything there is, and not only what changed since the record before. */
  readonly isWhole: boolean;
  /** By subject; null where two pieces on one subject spoke against each other, so that nothing can be built on them. */
  readonly pieces: Readonly<Record<string, KeptPiece>> | null;
  /** Subjects on which nothing is said any more. */
  readonly dropped: readonly string[];
}

/** A session that is no longer there. */
export interface GoneRecord {
  readonly kind: 'gone';
  readonly now: Moment;
  readonly key: string;
  readonly name: string;
  /** `closed`: by rollcall; `lost`: it was expected to be there; `ended`: by others, or by itself. */
  readonly how: 'closed' | 'lost' | 'ended';
}

/** How short of memory the machine was. */
export interface PressureRecord {
  readonly kind: 'pressure';
  readonly now: Moment;
  readonly tier: Tier;
  readonly code: string;
  readonly text: string;
  /** Of the host; null where it was not read. */
  readonly availableBytes: number | null;
  readonly totalBytes: number | null;
  readonly stallSomePercent: number | null;
  readonly stallFullPercent: number | null;
}

/** What the reaper did. */
export interface ReapRecord {
  readonly kind: 'reap';
  readonly now: Moment;
  readonly event: ReapEvent;
}

/** What the reaper was allowed to do from then on. */
export interface ModeRecord {
  readonly kind: 'mode';
  readonly now: Moment;
  readonly mode: ReapMode;
  readonly wanted: ReapMode;
}

/** The daemon began to look, stopped, or looked and found nothing to tell. Between two of these it was looking. */
export interface WatchRecord {
  readonly kind: 'start' | 'stop' | 'beat';
  readonly now: Moment;
}

export type HistoryRecord = SeenRecord | GoneRecord | PressureRecord | ReapRecord | ModeRecord | WatchRecord;

/** Without anything to tell, the daemon writes that it still looks. */
export const BEAT_MS = 60_000;

/** Records further apart than this, in awake time, have time between them in which nobody looked. */
export const GAP_MS = 5 * BEAT_MS;

/** A session that does not change is told of whole at least this often, so that a lost line costs no more than that. */
export const WHOLE_MS = 30 * 60_000;
