import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { Asleep } from '../../../core/sleep/asleep.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import type { ReopenResult } from '../reopen/order.ts';
import type { Reopened } from '../reopen/trouble.ts';
import type { ProgramEnd } from '../run-end.ts';

/** Every lasting step of a waking, in order. */
export const WAKE_STEPS = ['intent', 'put-back', 'keep', 'start', 'settle', 'outcome'] as const;

export type WakeStep = Exclude<(typeof WAKE_STEPS)[number], 'intent' | 'outcome'> | 'sleep-again';

/** What is to be woken. */
export interface WakeOrder {
  readonly entry: Pick<SessionEntry, 'key' | 'name'>;
  readonly argv: readonly string[];
}

export type WakeResult =
  | (Omit<Reopened, 'state'> & { readonly state: 'woken' })
  /** Nothing sleeps in it. */
  | { readonly state: 'awake'; readonly name: string }
  /** Its sleeper is not in its pane any more. */
  | { readonly state: 'sleeper-gone'; readonly receipt: string; readonly text: string }
  /** Its agent ended at once, and sleeps again. */
  | { readonly state: 'sleeps-on'; readonly end: ProgramEnd | null; readonly text: string }
  | Exclude<ReopenResult, { readonly state: 'reopened' | 'name-taken' | 'died' }>;

/** What sleeps, and where its sleeper is. */
export interface Sleeping {
  readonly asleep: Asleep;
  readonly closed: ClosedSession;
  readonly kept: Reopening;
  readonly pane: PaneTarget;
  readonly order: WakeOrder;
}
