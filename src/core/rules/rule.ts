import type { PaneFacts } from '../facts.ts';
import type { Moment } from '../moment.ts';
import type { Policy } from '../policy.ts';
import type { Activity, Reason, WaitingFor } from '../verdict.ts';

/** What one rule makes of one pane. */
export interface Finding {
  readonly activity: Activity;
  readonly waitingFor?: WaitingFor;
  readonly reason: Reason;
  /** When what it found began, where that is known. */
  readonly since?: number;
}

/** One way to tell what a pane is doing. It speaks only when its evidence is there; silence says nothing. */
export type Rule = (facts: PaneFacts, now: Moment, policy: Policy) => Finding | null;
