import type { Pressing } from '../pressure/tier.ts';
import type { ReapWay } from './way.ts';

/** When memory is given back, and how slowly; config fills it in. All times are awake time. */
export interface ReaperPolicy {
  /** The pressure from which an idle agent may go before it has rested for as long as it would have to otherwise. */
  readonly longIdleFrom: Pressing;
  /** Rest that such an agent must have. */
  readonly idleAfterMs: number;
  /** How long nothing at all may change in a session before it is chosen, seen by one and the same process. */
  readonly confirmMs: number;
  /** Between the choice and the close. */
  readonly graceMs: number;
  /** After a close, before the next is chosen. */
  readonly settleMs: number;
  /** Closes within an hour, over all rollcalls of this user. */
  readonly perHour: number;
  /** What becomes of an idle agent. */
  readonly prefer: ReapWay;
  /** Evidence older than this says nothing about now. */
  readonly freshMs: number;
}
