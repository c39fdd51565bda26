import type { CloseWish, Refusal } from '../../../core/close/decide.ts';
import type { Receipt, RungReport } from '../../../core/close/receipt.ts';
import type { LockSighting } from '../../../core/lock/sighting.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { Blocker } from '../../../core/verdict/verdict.ts';
import type { CloseProgress } from './rungs.ts';
import type { CloseTimings } from './timings.ts';

/** A session that is to be closed. */
export interface CloseOrder {
  readonly entry: SessionEntry;
  readonly wish: CloseWish;
  readonly reason: string | null;
  readonly argv: readonly string[];
  readonly timings: CloseTimings;
  /** The processes that somebody was shown as to be ended, by their keys; no other is. Absent: all that the decision saw. */
  readonly shown?: ReadonlySet<string>;
  onProgress(progress: CloseProgress): void;
}

/**
 * What became of it. `closed` and `gone` leave a receipt; after all others the session is as it was left. Where an agent was
 * ended on the way there is a receipt for it (`partial`).
 */
export type CloseResult =
  | { readonly state: 'closed' | 'gone' | 'asleep'; readonly receipt: Receipt }
  /** It sleeps already; `text`: since when. */
  | { readonly state: 'already-asleep'; readonly receipt: string; readonly text: string }
  /** `text`: since when. */
  | { readonly state: 'already-closed'; readonly receipt: string; readonly text: string }
  | Refusal
  | { readonly state: 'already-closing'; readonly by: LockSighting }
  /** The time was over: before it was seen at rest for long enough (`blockers`), or on the way. */
  | {
      readonly state: 'timed-out';
      readonly text: string;
      readonly blockers: readonly Blocker[];
      readonly rungs: readonly RungReport[];
      readonly receipt?: Receipt | null;
    }
  /** Nobody closed it, and it is not there. */
  | { readonly state: 'vanished' }
  /** Something was done that could not be recorded; the next command records it. */
  | {
      readonly state: 'unrecorded';
      readonly isGone: boolean;
      readonly text: string;
      readonly hint: string;
      readonly rungs: readonly RungReport[];
    }
  | Stopped;

interface Stopped {
  /** `aborted`: something changed on the way. `failed`: a rung did not do what it should. */
  readonly state: 'aborted' | 'failed';
  readonly text: string;
  readonly hint: string | null;
  readonly rungs: readonly RungReport[];
  readonly receipt?: Receipt | null;
}
