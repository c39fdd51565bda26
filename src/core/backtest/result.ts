import type { Gap } from '../history/witness.ts';
import type { Tier } from '../pressure/tier.ts';
import type { ReaperPolicy } from '../reaper/policy.ts';
import type { ReapEvent } from '../reaper/standing.ts';
import type { Aftermath } from './aftermath.ts';
import type { ReplayRules } from './replayed-session.ts';

/** The policy that is tried. */
export interface BacktestRules extends ReplayRules {
  readonly reaper: ReaperPolicy;
  /** Pressure that is assumed all the time; null: as it was. */
  readonly tier: Tier | null;
  /** The replay begins here, with everything as it stood then; epoch ms. */
  readonly since: number;
}

/** A close that would have been, or was. */
export interface BacktestClose extends Pick<ReapEvent, 'at' | 'tier' | 'relief' | 'text' | 'memoryBytes'> {
  readonly key: string;
  readonly name: string;
  readonly server: string;
  /** Proof that only a later look took, in a pane that was quiet until then. */
  readonly lent: readonly ('git' | 'screen')[];
}

/** What the record says the policy of that time did. */
export interface RecordedClose extends BacktestClose {
  readonly kind: 'closed' | 'would-close';
}

export type WithAftermath<C> = C & { readonly aftermath: Aftermath };

/** How a replay went. */
export interface BacktestResult {
  /** Of the record, epoch ms; null where there is none. */
  readonly from: number | null;
  readonly to: number | null;
  /** Awake time in which somebody looked. */
  readonly watchedMs: number;
  readonly gaps: readonly Gap[];
  readonly pressedMs: number;
  readonly sessions: number;
  readonly closes: readonly WithAftermath<BacktestClose>[];
  readonly recorded: readonly WithAftermath<RecordedClose>[];
  /** What kept the others in the end, by guard. */
  readonly kept: readonly { readonly code: string; readonly sessions: number }[];
}
