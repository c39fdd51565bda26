import { agentsOf, didEnd, endedNotes, type FoundAgent, leavingNotes } from '../../../core/close/ended.ts';
import { aboutEntry, type Receipt, type ReceiptParts, receiptBody } from '../../../core/close/receipt.ts';
import { isExpected } from '../../../core/memory/lost.ts';
import { identityOf } from '../../../core/sight/roll.ts';
import type { SessionTarget } from '../../../ports/actuator.ts';
import type { ConversationsKept } from '../conversations/keep.ts';
import { factsOf, type Hands } from '../hands.ts';
import { resumeAsleep } from '../sleep/carried-over.ts';
import { mayStay } from '../sleep/plan-sleep.ts';
import type { Ready } from './make-ready.ts';
import type { CloseOrder, Stopped } from './order.ts';
import { goneOf, livingOf } from './processes.ts';

type Asked = Pick<CloseOrder, 'wish' | 'reason'>;

/**
 * The receipt of a close that ended an agent and then stopped, or asked one to leave that may still do so; null where nothing was
 * done. Its session is not closed by it, and can be closed again; what was ended can be started again from it. `keepTalk` keeps
 * the conversations of whoever left.
 */
export async function partialReceipt(
  hands: Hands,
  order: Asked,
  ready: Ready,
  { rungs, text }: Pick<Stopped, 'rungs' | 'text'>,
  keepTalk: () => Promise<ConversationsKept>,
): Promise<{ readonly receipt: Receipt; readonly isEnded: boolean } | null> {
  if (!didEnd(rungs)) return null;
  const kept = await keepTalk();
  const agents = agentsOf(ready.sight.panes);
  const ended = goneOf(hands, agents);
  const others = order.wish.isForced ? othersGone(hands, ready, ended) : [];
  const { entry, panes } = ready.sight;
  const session = { key: entry.key, target: identityOf(entry), panes };
  const leaving = await mayStillLeave(hands, session, agents, ended);
  if (ended.length === 0 && others.length === 0 && leaving.length === 0) return null;
  const receipt = receiptBody({
    ...partsOf(hands, order, ready),
    ...{ result: 'partial', rungs, survivors: [], resume: resumeOf([...ended, ...leaving]) },
    conversations: kept.conversations,
    notes: [
      `the close stopped: ${text}`,
      ...endedNotes(ended, others),
      ...leavingNotes(leaving),
      ...kept.notes,
    ],
  });
  return { receipt, isEnded: ended.length > 0 || others.length > 0 };
}

/**
 * The agents that were asked to leave and live: where they go later, nobody else would have anything to tell of it. A session that
 * the ledger expects is found missing, and has what it was started with; but only where it goes with its agent, and a shell,
 * another pane or its own dead pane does not stay.
 */
export async function mayStillLeave(
  hands: Hands,
  session: LeftSession,
  agents: readonly FoundAgent[],
  ended: readonly FoundAgent[],
): Promise<readonly FoundAgent[]> {
  const living = agents.filter((agent) => !ended.includes(agent));
  const [only] = living;
  if (!only?.isAll || !isExpected(factsOf(hands, session))) return living;
  return (await goesWithProgram(hands, session, only)) ? [] : living;
}

/** A session that a close left behind, and its panes as they were then. */
export interface LeftSession {
  readonly key: string;
  readonly target: SessionTarget | null;
  readonly panes: readonly {
    readonly paneId?: string | null | undefined;
    readonly pid?: number | null | undefined;
  }[];
}

// Where tmux does not say so it may stay: a receipt too many costs nothing.
async function goesWithProgram(
  hands: Hands,
  { target, panes }: LeftSession,
  { paneId }: FoundAgent,
): Promise<boolean> {
  const pid = panes.find((pane) => pane.paneId === paneId)?.pid;
  if (target === null || pid == null) return false;
  const stamped = await hands.tmux.runOf({ session: target, paneId, pid });
  return stamped.state === 'read' && !mayStay(hands, stamped);
}

/** How the first of them comes back that can. */
export function resumeOf(agents: readonly FoundAgent[]): readonly string[] | null {
  return agents.find(({ resume }) => resume !== null)?.resume ?? null;
}

// Force ends more than agents.
function othersGone(hands: Hands, { belongings }: Ready, ended: readonly FoundAgent[]) {
  const told = new Set(ended.flatMap(({ processes }) => processes.map(({ pid }) => pid)));
  const listed = belongings.of(belongings.paneIds).filter(({ pid }) => !told.has(pid));
  const living = new Set(livingOf(hands, listed));
  return listed.filter((one) => !living.has(one));
}

/** What every receipt says of the session, of the wish and of what was kept. */
export function partsOf(
  hands: Hands,
  { wish: { despite, isForced }, reason }: Asked,
  { id, archive, digests, sight: { entry, panes }, decision: { waived } }: Ready,
): Omit<ReceiptParts, 'result' | 'rungs' | 'survivors' | 'conversations' | 'notes' | 'sleeper'> {
  const told = panes.map(({ told }) => told?.resume).find((argv) => argv !== undefined);
  const resume = told ?? resumeAsleep(hands, entry.key);
  const claims = factsOf(hands, entry)?.claims ?? null;
  const about = aboutEntry(entry);
  const parts = { id, archive, waived, digests: Object.fromEntries(digests) };
  return { ...parts, reason, about, despite, isForced, resume, claims };
}
