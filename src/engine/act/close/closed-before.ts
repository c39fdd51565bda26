import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import { currentFacts } from '../../../core/ledger/current-facts.ts';
import type { Hands } from '../hands.ts';
import type { Subject } from './look-at.ts';
import type { CloseResult } from './order.ts';

/** What is said of a session that is not there: who closed it, or that nobody did. */
export function closedBefore(hands: Hands, subject: Subject): CloseResult {
  const closed = factsOf(hands, subject)?.closed;
  return closed ? { state: 'already-closed', receipt: closed.receipt } : { state: 'vanished' };
}

/** What the ledger says about it now. */
export function factsOf(hands: Hands, { key }: Subject): SessionFacts | undefined {
  return currentFacts(hands.ledger.read().entries).get(key);
}
