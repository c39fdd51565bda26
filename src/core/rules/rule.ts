import type { Moment } from '../text/moment.ts';
import type { PaneFacts } from '../verdict/facts.ts';
import type { Policy } from '../verdict/policy.ts';
import type { Activity, Reason, WaitingFor } from '../verdict/verdict.ts';

/** What one rule makes of one pane. */
export interface RuleFinding {
  readonly activity: Activity;
  readonly waitingFor?: WaitingFor;
  readonly reason: Reason;
  /** When what it found began, where that is known. */
  readonly since?: number;
}

/** One way to tell what a pane is doing. It speaks only when its evidence is there; silence says nothing. */
export type Rule = (facts: PaneFacts, now: Moment, policy: Policy) => RuleFinding | null;
