import { type ClosedSession, findReceipt } from '../../../core/close/find-receipt.ts';
import { agentAlone, type Reopening } from '../../../core/close/reopening.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { Asleep } from '../../../core/sleep/asleep.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import { factsOf, type Hands } from '../hands.ts';
import { keptOf } from '../reopen/kept.ts';
import type { ReopenResult } from '../reopen/order.ts';
import { type Reopened, reopenedOr } from '../reopen/trouble.ts';
import type { FirstEnd } from '../run-see.ts';
import { isTrouble, type Trouble, trouble } from '../trouble.ts';

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
  | { readonly state: 'sleeps-on'; readonly end: FirstEnd | null; readonly text: string }
  | Exclude<ReopenResult, { readonly state: 'reopened' | 'name-taken' | 'died' }>;

/** What sleeps, and where its sleeper is. */
export interface Sleeping {
  readonly asleep: Asleep;
  readonly closed: ClosedSession;
  readonly kept: Reopening;
  readonly pane: PaneTarget;
  readonly order: WakeOrder;
}

/** What sleeps in a session, and how it is brought back. */
export function sleepOf(
  hands: Hands,
  { entry: { key, name } }: Pick<WakeOrder, 'entry'>,
): Pick<Sleeping, 'asleep' | 'closed' | 'kept'> | WakeResult {
  const { asleep, closed: over = null } = factsOf(hands, { key }) ?? {};
  // Closed by somebody since it was looked at.
  if (asleep === undefined && over !== null)
    return { state: 'sleeper-gone', receipt: over.receipt, text: 'its session is gone' };
  if (asleep === undefined) return { state: 'awake', name };
  const found = findReceipt(hands.ledger.read({ about: key }).entries, asleep.receipt);
  if (found.state !== 'one') {
    return { state: 'not-kept', text: `receipt ${asleep.receipt} is not in the ledger` };
  }
  const { closed } = found;
  const kept = keptOf(hands, { closed });
  if ('state' in kept) return kept;
  // Without its archive another conversation may be all that is known.
  if (kept.agent === null || kept.agent.conversation !== asleep.conversation) {
    const text = `its conversation ${asleep.conversation} is not in what was kept of it`;
    return { state: 'not-kept', text };
  }
  // Everything else of it is there.
  return { asleep, closed, kept: { ...agentAlone(kept), missing: kept.dropped ?? [] } };
}

export type Woken = Extract<WakeResult, { state: 'woken' | 'awake' }>;

/** What is awake, or why it is not. */
export function wokenOr(result: WakeResult, now: number): Woken | Trouble {
  switch (result.state) {
    case 'woken':
    case 'awake':
      return result;
    case 'sleeper-gone':
      return trouble('refused', `its sleeper is not there any more: ${result.text}`, {
        hint: `rollcall reopen ${result.receipt} starts its agent again`,
      });
    case 'sleeps-on':
      return trouble('failed', 'its program ended at once; it sleeps on', {
        details: result.end?.screen ?? [],
        hint: 'its receipt stays; try the command of its agent by hand',
      });
    default: {
      const told = reopenedOr(result, now);
      // Nothing here can have been reopened.
      return isTrouble(told) ? told : trouble('failed', 'it was not woken');
    }
  }
}
