import type { GateContract } from '../../core/gate/contract.ts';
import { isOverdue } from '../../core/gate/early.ts';
import { isGone, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import type { GateStore } from '../../ports/gate.ts';
import type { Hands } from '../act/hands.ts';
import { lostSessionOf, successorOf } from '../act/reopen/lost-session-of.ts';
import { notesIn } from '../act/spoken-panes.ts';
import { isTrouble } from '../act/trouble.ts';
import { startEntry } from './entries.ts';
import { write } from './write.ts';

/** A session that was made again, and what it was made from. */
export interface Succession {
  /** Key of the session that it takes the place of. */
  readonly from: string;
  /** Null where it could not be seen yet. */
  readonly entry: SessionEntry | null;
  /** The conversation that it takes up again. */
  readonly conversation: string | null;
}

/**
 * Takes open work along to the session in which its conversation goes on: rollcall itself has started that. The agent is
 * stamped anew at its next stop, by this conversation and no other. Gives what could not be taken along, in words.
 */
export async function moveGates(
  hands: Pick<Hands, 'ledger' | 'writer' | 'now'>,
  store: GateStore,
  { from, entry, conversation }: Succession,
): Promise<string | null> {
  const { contracts } = store.contracts();
  const isMeant = ({ phase, owner }: GateContract) =>
    phase === 'open' && owner.session.key === from && owner.conversation === conversation;
  if (!contracts.some(isMeant)) return null;
  if (entry === null) return left('the new session could not be seen');
  const moved = await write(hands, { store }, 'gate-move', () => {
    const places: boolean[] = [];
    for (const contract of store.contracts().contracts) {
      if (!isMeant(contract) || isOverdue(contract, hands.now())) continue;
      const next = inSession(contract, entry, hands.now());
      places.push(next !== null);
      if (next !== null) store.save(next, () => hands.ledger.append(startEntry(next)));
    }
    return { state: 'moved', isWhole: places.every(Boolean) } as const;
  });
  if (isTrouble(moved)) return left(moved.text);
  return moved.isWhole ? null : left('the program in its first pane is not known');
}

/** Why open work stays with a session that is gone. */
export function left(why: string): string {
  return `its open work was not taken along: ${why}; rollcall gate start asks for it anew`;
}

// The first pane is the one that rollcall started the agent in.
function inSession(contract: GateContract, entry: SessionEntry, at: number): GateContract | null {
  const [pane] = entry.panes;
  const root = pane && notesIn(entry.evidence, pane.paneId).find(({ pid }) => pid === pane.pid);
  if (pane === undefined || root === undefined) return null;
  const { socketPath, pid, startTicks } = entry.server;
  const place = {
    session: { key: entry.key, name: entry.name },
    server: { socketPath, pid, startTicks },
    paneId: pane.paneId,
    pane: { pid: root.pid, startTicks: root.startTicks },
  };
  return { ...contract, owner: { ...contract.owner, ...place, stampedAt: at } };
}

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
