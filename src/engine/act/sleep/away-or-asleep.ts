import { isGone } from '../../../core/sight/roll.ts';
import { ago } from '../../../core/verdict/retention.ts';
import { closedBefore } from '../close/closed-before.ts';
import type { Subject } from '../close/look-at.ts';
import type { CloseOrder, CloseResult } from '../close/order.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';

/** Why there is nothing to put to sleep; null where there may be. */
export function awayOrAsleep(
  hands: Hands,
  subject: Subject,
  { entry }: Pick<CloseOrder, 'entry'>,
): CloseResult | null {
  if (isGone(entry)) return closedBefore(hands, subject);
  const asleep = factsOf(hands, subject)?.asleep;
  if (entry.activity !== 'asleep' || asleep === undefined) return null;
  return {
    state: 'already-asleep',
    receipt: asleep.receipt,
    text: `it fell asleep ${ago(hands.now() - asleep.at)}`,
  };
}
