import type { Blocker, Protection } from '../verdict/verdict.ts';
import type { PlannedRung } from './ladder.ts';
import type { ListedProcess } from './listing.ts';
import type { Receipt, RungReport } from './receipt.ts';

/** How a close can end, in one word. */
export const CLOSE_RESULTS = [
  'closed',
  'asleep',
  'already-asleep',
  'gone',
  'already-closed',
  'would-close',
  'would-sleep',
  'refused',
  'already-closing',
  'aborted',
  'timed-out',
  'vanished',
  'unrecorded',
  'failed',
] as const;

/** What became of one session that was to be closed. */
export interface CloseReport {
  readonly key: string;
  readonly name: string;
  readonly result: (typeof CLOSE_RESULTS)[number];
  readonly exitCode: number;
  readonly text: string;
  readonly hint: string | null;
  readonly blockers: readonly Blocker[];
  readonly protections: readonly Protection[];
  readonly waived: readonly Blocker[];
  readonly planned: readonly PlannedRung[];
  /** Every process of it, and what the close means for each; named before anything is done. */
  readonly processes: readonly ListedProcess[];
  readonly rungs: readonly RungReport[];
  readonly receipt: Receipt | null;
}
