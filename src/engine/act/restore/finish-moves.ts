import { isGone, type Roll } from '../../../core/sight/roll.ts';
import { moveGates } from '../../gate/move-gates.ts';
import type { Hands } from '../hands.ts';
import { lostSessionOf, successorOf } from '../reopen/lost-session-of.ts';

/**
 * Takes open work along that an earlier command left with a session that was made again: it was killed after it had recorded
 * the session, and before it came to the work. To do it twice changes nothing.
 */
export async function finishMoves(hands: Hands, { sessions }: Pick<Roll, 'sessions'>): Promise<void> {
  const { facts } = hands.ledger.facts().folded;
  const { contracts } = hands.gates.contracts();
  const owners = new Set(
    contracts.flatMap(({ phase, owner }) => (phase === 'open' ? owner.session.key : [])),
  );
  for (const from of owners) {
    const next = successorOf(facts, from);
    const entry = sessions.find((one) => one.key === next?.key && !isGone(one));
    if (from === null || next === undefined || entry === undefined) continue;
    const { start } = lostSessionOf(hands, next);
    const conversation = start?.body.agent?.conversation ?? null;
    await moveGates(hands, hands.gates, { from, entry, conversation });
  }
}
