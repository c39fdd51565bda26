import { agentsOf, didEnd, endedNotes, type FoundAgent } from '../../../core/close/ended.ts';
import { aboutEntry, type Receipt, type ReceiptParts, receiptBody } from '../../../core/close/receipt.ts';
import type { ConversationsKept } from '../conversations/keep.ts';
import { factsOf, type Hands } from '../hands.ts';
import { resumeAsleep } from '../sleep/carried-over.ts';
import type { Ready } from './make-ready.ts';
import type { CloseOrder, Stopped } from './order.ts';
import { goneOf, livingOf } from './processes.ts';

type Asked = Pick<CloseOrder, 'wish' | 'reason'>;

/**
 * The receipt of a close that ended an agent and then stopped; null where nobody was ended. Its session is not closed by
 * it, and can be closed again; what was ended can be started again from it. `keepTalk` keeps the conversations of whoever left.
 */
export async function partialReceipt(
  hands: Hands,
  order: Asked,
  ready: Ready,
  { rungs, text }: Pick<Stopped, 'rungs' | 'text'>,
  keepTalk: () => Promise<ConversationsKept>,
): Promise<Receipt | null> {
  if (!didEnd(rungs)) return null;
  const kept = await keepTalk();
  const ended = goneOf(hands, agentsOf(ready.sight.panes));
  const others = order.wish.isForced ? othersGone(hands, ready, ended) : [];
  if (ended.length === 0 && others.length === 0) return null;
  return receiptBody({
    ...partsOf(hands, order, ready),
    ...{ result: 'partial', rungs, survivors: [], resume: resumeOf(ended) },
    conversations: kept.conversations,
    notes: [`the close stopped: ${text}`, ...endedNotes(ended, others), ...kept.notes],
  });
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
