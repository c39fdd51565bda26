import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import { isPartial } from '../../../core/ledger/entry.ts';
import { isGone } from '../../../core/sight/roll.ts';
import type { Hands } from '../hands.ts';
import { lostSessionOf } from './lost-session-of.ts';
import type { ReopenOrder } from './order.ts';
import { successorOf } from './successor-of.ts';

/**
 * The session that was named, or the last that took its place, where that stands and the agent that rollcall started in it
 * has failed: other panes keep it. Then only the agent is to be started again. Null where it is not so.
 */
export async function standingWithoutAgent(
  hands: Hands,
  { closed, lostAs }: Pick<ReopenOrder, 'closed' | 'lostAs'>,
): Promise<ClosedSession | null> {
  const { receipt, facts } = closed;
  // What is restored is gone; and these receipts are of the agent alone.
  if (lostAs !== undefined || isPartial(receipt) || receipt?.action === 'hibernate') return null;
  const all = hands.ledger.facts().folded.facts;
  const last = successorOf(all, facts.key) ?? all.get(facts.key);
  if (last === undefined || last.closed !== null) return null;
  const found = lostSessionOf(hands, last);
  if (!hasFailed(hands, found)) return null;
  const { sessions } = await hands.look();
  const isThere = sessions.some((entry) => entry.key === last.key && !isGone(entry));
  return isThere ? { ...found, receipt: null } : null;
}

// With status 0 somebody has left it.
function hasFailed({ ends }: Hands, { start }: ClosedSession): boolean {
  const { run, agent, pid } = start?.body ?? {};
  const end = run == null || agent?.kind == null ? null : ends.of(run);
  return end !== null && end.exitStatus !== 0 && end.pid === (pid ?? null);
}
