import { type CloseDecision, decideClose } from '../../../core/close/decide.ts';
import { currentFacts } from '../../../core/ledger/current-facts.ts';
import { closedWords } from '../../../core/memory/gone.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import { sessionLock } from '../deed.ts';
import { awake, factsOf, type Hands } from '../hands.ts';
import { lookAt, type Subject, type SubjectSight } from './look-at.ts';
import { type CloseOrder, type CloseResult, notSeenAtRest, refusal } from './order.ts';

/** Looks until the decision is made; null when it is to go on. */
export async function awaitDecision(
  hands: Hands,
  order: CloseOrder,
  subject: Subject,
): Promise<CloseResult | null> {
  const { timings, onProgress, entry } = order;
  const endsAt = awake(hands) + timings.decideMs;
  for (;;) {
    const decision = decideOn(await lookAt(hands, subject), order);
    if (decision.state === 'gone') return closedByOthers(hands, subject);
    if (decision.state === 'refused') return byOthers(hands, subject) ?? decision;
    if (decision.state === 'go') return null;
    onProgress({ name: entry.name, state: 'waits', text: decision.blockers[0]?.text ?? '' });
    if (awake(hands) >= endsAt) return notSeenAtRest(decision.blockers);
    await hands.wait(Math.min(timings.lookEveryMs, Math.max(0, endsAt - awake(hands))));
  }
}

// While another rollcall closes it, it looks like work: tell of that close instead.
function byOthers(hands: Hands, subject: Subject): CloseResult | null {
  const result = closedByOthers(hands, subject);
  return result.state === 'vanished' ? null : result;
}

/** What a look at it decides. A wish to keep it that came after the wish to close it is not set aside. */
export function decideOn(
  sight: SubjectSight,
  { wish, entry: asked }: Pick<CloseOrder, 'wish' | 'entry'>,
): CloseDecision {
  if (sight.state === 'there') {
    const { entry } = sight;
    const decision = decideClose(entry, wish);
    const isSetAside = 'waived' in decision && decision.waived.some(({ code }) => code === 'retained');
    if (!isSetAside || keptAt(entry) === keptAt(asked)) return decision;
    const hint = 'close it again to set that aside';
    return refusal(entry, 'somebody asked to keep it since', hint, 'protected');
  }
  if (sight.state === 'gone') return { state: 'gone' };
  const unseen = { blockers: [], protections: [] };
  return refusal(unseen, sight.text, 'nothing is closed that cannot be seen', 'unseen');
}

function keptAt({ evidence }: SessionEntry): number | undefined {
  return evidence.flatMap((one) => (one.kind === 'standing' ? (one.retained?.at ?? []) : []))[0];
}

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
