import type { CloseDecision, CloseWish } from '../../../core/close/decide.ts';
import { decideClose } from '../../../core/close/decide.ts';
import { awake, type Hands } from '../hands.ts';
import { closedByOthers } from './closed-before.ts';
import { lookAt, type Sight, type Subject } from './look-at.ts';
import type { CloseOrder, CloseResult } from './order.ts';
import { notSeenAtRest } from './patience.ts';

/** Looks until the decision is made; null when it is to go on. */
export async function awaitDecision(
  hands: Hands,
  { wish, timings, onProgress, entry }: CloseOrder,
  subject: Subject,
): Promise<CloseResult | null> {
  const endsAt = awake(hands) + timings.decideMs;
  for (;;) {
    const decision = decideOn(await lookAt(hands, subject), wish);
    if (decision.state === 'gone') return closedByOthers(hands, subject);
    if (decision.state === 'refused') return byOthers(hands, subject) ?? decision;
    if (decision.state === 'go') return null;
    onProgress({ name: entry.name, state: 'waits', text: decision.blockers[0]?.text ?? '' });
    if (awake(hands) >= endsAt) return notSeenAtRest(decision.blockers);
    await hands.wait(Math.min(timings.lookEveryMs, Math.max(0, endsAt - awake(hands))));
  }
}

// What others do to it while they close it looks like work to whoever began to look before.
function byOthers(hands: Hands, subject: Subject): CloseResult | null {
  const result = closedByOthers(hands, subject);
  return result.state === 'vanished' ? null : result;
}

/** What a look at it decides. */
export function decideOn(sight: Sight, wish: CloseWish): CloseDecision {
  if (sight.state === 'there') return decideClose(sight.entry, wish);
  if (sight.state === 'gone') return { state: 'gone' };
  const hint = 'nothing is closed that cannot be seen';
  return { state: 'refused', code: 'unseen', text: sight.text, blockers: [], protections: [], hint };
}
