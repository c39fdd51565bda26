import { findReceipt } from '../../../core/close/find-receipt.ts';
import { agentAlone } from '../../../core/close/reopening.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import { keptOf } from '../reopen/kept.ts';
import type { Sleeping, WakeOrder, WakeResult } from './wake-order.ts';

/** What sleeps in a session, and how it is brought back. */
export function sleepOf(
  hands: Hands,
  { entry: { key, name } }: Pick<WakeOrder, 'entry'>,
): Pick<Sleeping, 'asleep' | 'closed' | 'kept'> | WakeResult {
  const asleep = factsOf(hands, { key })?.asleep;
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
    return {
      state: 'not-kept',
      text: `its conversation ${asleep.conversation} is not in what was kept of it`,
    };
  }
  // Everything else of it is there.
  return { asleep, closed, kept: { ...agentAlone(kept), missing: kept.dropped ?? [] } };
}
