import type { SessionFacts } from '../facts.ts';
import type { Activity, Check } from '../verdict.ts';

/** What a check may look at: the facts, and what the rules made of them. */
export interface Judged {
  readonly facts: SessionFacts;
  readonly activity: Activity;
  readonly restMs: number;
}

/** One line of the closing checklist. Anything but positive proof leaves it unmet or unknown. */
export type CheckRule = (judged: Judged) => Check;
