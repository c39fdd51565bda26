import type { SettleEvent, SettleStanding } from '../../core/settle/standing.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Moment } from '../../core/text/moment.ts';

/** Closes what is due by a declared completion, one session at a time. */
export interface Settler {
  /** Decides on this round's roll, and acts where its mode allows. */
  round(seen: { readonly roll: Roll; readonly now: Moment }): Promise<{
    readonly standing: SettleStanding;
    readonly events: readonly SettleEvent[];
  }>;
  /** Lets a close under way end. */
  stop(): Promise<void>;
}
