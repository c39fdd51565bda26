import { agentsOf, didEnd, endedNotes, type FoundAgent } from '../../../core/close/ended.ts';
import { aboutEntry, type Receipt, type ReceiptParts, receiptBody } from '../../../core/close/receipt.ts';
import type { Digests } from '../../../core/close/seal.ts';
import type { Blocker } from '../../../core/verdict/verdict.ts';
import type { ConversationsKept } from '../conversations/keep.ts';
import { factsOf, type Hands } from '../hands.ts';
import { resumeAsleep } from '../sleep/carried-over.ts';
import type { Belongings } from './belongings.ts';
import type { Sight } from './look-at.ts';
import type { CloseOrder, Rungs } from './order.ts';
import { goneOf, livingOf } from './processes.ts';

/** A close that stopped before its session was gone. */
export interface StoppedClose {
  readonly order: Pick<CloseOrder, 'wish' | 'reason'>;
  /** As it was decided on. */
  readonly sight: Extract<Sight, { state: 'there' }>;
  readonly waived: readonly Blocker[];
  readonly belongings: Pick<Belongings, 'of' | 'paneIds'>;
  /** The id of the archive, and where it lies. */
  readonly id: string;
  readonly archive: string;
  readonly digests: Digests;
  readonly rungs: Pick<Rungs, 'reports'>;
  /** Why it stopped. */
  readonly text: string;
  /** The conversations of whoever has left. */
  readonly kept?: ConversationsKept;
}

/**
 * The receipt of a close that ended an agent and then stopped; null where nobody was ended. Its session is not closed by
 * it, and can be closed again; what was ended can be started again from it.
 */
export function partialReceipt(hands: Hands, stopped: StoppedClose): Receipt | null {
  const { order, sight, waived, id, archive, digests, rungs, text, kept } = stopped;
  if (!didEnd(rungs.reports)) return null;
  const ended = goneOf(hands, agentsOf(sight.panes));
  const others = order.wish.isForced ? othersGone(hands, stopped, ended) : [];
  if (ended.length === 0 && others.length === 0) return null;
  const { despite, isForced } = order.wish;
  return receiptBody({
    ...{ id, result: 'partial', archive, digests, waived, despite, isForced, reason: order.reason },
    ...{ about: aboutEntry(sight.entry), rungs: rungs.reports, survivors: [], resume: resumeOf(ended) },
    conversations: kept?.conversations ?? [],
    notes: [`the close stopped: ${text}`, ...endedNotes(ended, others), ...(kept?.notes ?? [])],
    claims: factsOf(hands, sight.entry)?.claims ?? null,
  });
}

/** How the first of them comes back that can. */
export function resumeOf(agents: readonly FoundAgent[]): readonly string[] | null {
  return agents.find(({ resume }) => resume !== null)?.resume ?? null;
}

// Force ends more than agents.
function othersGone(hands: Hands, { belongings }: StoppedClose, ended: readonly FoundAgent[]) {
  const told = new Set(ended.flatMap(({ processes }) => processes.map(({ pid }) => pid)));
  const listed = belongings.of(belongings.paneIds).filter(({ pid }) => !told.has(pid));
  const living = new Set(livingOf(hands, listed));
  return listed.filter((one) => !living.has(one));
}

/** What every receipt says of the session and of the wish. */
export function partsOf(
  hands: Hands,
  { wish, reason }: CloseOrder,
  { entry, panes }: Extract<Sight, { state: 'there' }>,
): Pick<ReceiptParts, 'reason' | 'about' | 'despite' | 'isForced' | 'resume' | 'claims'> {
  const told = panes.map(({ told }) => told?.resume).find((argv) => argv !== undefined);
  const resume = told ?? resumeAsleep(hands, entry.key);
  const { despite, isForced } = wish;
  const claims = factsOf(hands, entry)?.claims ?? null;
  return { reason, about: aboutEntry(entry), despite, isForced, resume, claims };
}
