import { currentFacts } from '../../../core/ledger/current-facts.ts';
import { closedWords } from '../../../core/memory/gone.ts';
import { sessionLock } from '../deed.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import type { Subject } from './look-at.ts';
import type { CloseResult } from './order.ts';

/** What is said of a session that is not there: who closed it, or that nobody did. */
export function closedBefore(hands: Hands, subject: Subject): CloseResult {
  const { key } = subject;
  // One that was closed long ago is not among the facts any more.
  const facts = factsOf(hands, subject) ?? currentFacts(hands.ledger.read({ about: key }).entries).get(key);
  const closed = facts?.closed;
  if (!closed) return { state: 'vanished' };
  return { state: 'already-closed', receipt: closed.receipt, text: closedWords(closed, hands.now()) };
}

/**
 * The same while others may be at it. Between its end and its receipt only the lock tells that somebody is closing it;
 * whoever gives the lock back has written the receipt.
 */
export function closedByOthers(hands: Hands, subject: Subject): CloseResult {
  const before = closedBefore(hands, subject);
  if (before.state !== 'vanished' || !factsOf(hands, subject)?.closing) return before;
  const taken = hands.locks.tryLock(sessionLock(subject), { task: 'close', argv: [] });
  if (taken.state === 'busy') return { state: 'already-closing', by: taken.by };
  if (taken.state === 'held') taken.hold.release();
  return closedBefore(hands, subject);
}
