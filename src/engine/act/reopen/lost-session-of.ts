import { readStarted } from '../../../core/close/bodies.ts';
import { agentsIn } from '../../../core/close/ended.ts';
import { type ClosedSession, lostSession } from '../../../core/close/find-receipt.ts';
import type { Layout } from '../../../core/layout/layout.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import { isPartial } from '../../../core/ledger/entry.ts';
import { isGone } from '../../../core/sight/roll.ts';
import type { Hands } from '../hands.ts';
import type { ReopenOrder } from './order.ts';

type Told = Pick<Hands, 'ledger' | 'layouts'>;

/** A session with all that the ledger has of how it was made: its own entries, and the receipts that it was made from. */
export function lostSessionOf(hands: Told, facts: SessionFacts): ClosedSession {
  const { ledger } = hands;
  const own = ledger.read({ about: facts.key }).entries;
  const from = own.flatMap(({ body, action }) =>
    action === 'reopen' ? (readStarted(body).receipt ?? []) : [],
  );
  const receipts = [...new Set(from)].flatMap((about) => ledger.read({ about }).entries);
  const entries = new Map([...own, ...receipts].map((entry) => [entry.sequence, entry]));
  const lost = lostSession(
    facts,
    [...entries.values()].sort((one, other) => one.sequence - other.sequence),
  );
  return wentOn(hands, lost) ? { ...lost, receipt: null } : lost;
}

/** Whether an agent was seen in it after a close that stopped: the archive of that is not how it was last seen. */
function wentOn({ layouts }: Told, { facts, receipt }: ClosedSession): boolean {
  if (receipt === null || receipt.session?.key !== facts.key || !isPartial(receipt)) return false;
  const read = layouts.of(facts.key);
  return read.state === 'read' && read.layout.at > receipt.at && isAgentIn(read.layout);
}

function isAgentIn({ document }: Layout): boolean {
  const paneIds = document.panes.flatMap(({ paneId }) => paneId ?? []);
  return agentsIn(document, paneIds).length > 0;
}

/** The last of those that took the place of a session, one after the other; undefined where nothing did. */
export function successorOf(
  facts: ReadonlyMap<string, SessionFacts>,
  key: string | null,
): SessionFacts | undefined {
  let next = facts.get(key ?? '')?.reopened;
  let last: SessionFacts | undefined;
  while (next != null) {
    last = facts.get(next.key);
    next = last?.reopened;
  }
  return last;
}

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
