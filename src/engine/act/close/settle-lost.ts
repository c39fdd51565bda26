import { type Receipt, type ReceiptParts, receiptBody } from '../../../core/close/receipt.ts';
import type { ClosedConversation } from '../../../core/conversation/clues.ts';
import { endWords } from '../../../core/memory/ended.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import { keepStarted } from '../conversations/keep.ts';
import { newReceiptId, type Performed, type Plan, perform } from '../deed.ts';
import { factsOf, type Hands } from '../hands.ts';
import { aboutGone } from '../heard-start.ts';
import { closedBefore } from './await-decision.ts';
import type { Subject } from './look-at.ts';
import type { CloseOrder, CloseResult } from './order.ts';

/** Closes a session that is lost, or went with its program: nobody has to look for it any more. */
export async function settleLost(hands: Hands, order: CloseOrder, subject: Subject): Promise<CloseResult> {
  const { wish, reason, entry, argv } = order;
  const text = entry.ended ? `its program ${endWords(entry.ended)}` : 'it was lost';
  const performed = await settleGone(hands, entry, {
    ...{ argv, text, intend: (facts) => (facts?.closed ? null : { archive: null, reason }) },
    told: () => ({ result: 'gone', reason, despite: wish.despite, isForced: wish.isForced, resume: null }),
  });
  if (performed.state === 'performed') return { state: 'gone', receipt: performed.value };
  if (performed.state === 'busy') return { state: 'already-closing', by: performed.by };
  if (performed.state === 'failed') {
    return { state: 'failed', text: performed.text, hint: performed.hint, rungs: [] };
  }
  return closedBefore(hands, subject);
}

interface Settling extends Pick<Plan, 'argv' | 'intend'> {
  /** For the outcome. */
  readonly text: string;
  /** What the receipt says besides; `started`: the conversation that it was started with, where one is known. */
  told(
    started: ClosedConversation | null,
  ): Pick<ReceiptParts, 'result' | 'reason' | 'despite' | 'isForced' | 'resume'>;
}

/** Writes the receipt of a session that is gone. Nothing is touched. */
export function settleGone(
  hands: Hands,
  entry: SessionEntry,
  { argv, intend, text, told }: Settling,
): Promise<Performed<Receipt>> {
  const session = { key: entry.key, name: entry.name };
  return perform(hands, { action: 'close', session, argv, intend }, async (deed) => {
    const id = newReceiptId();
    const { started, kept } = await keepStarted(hands, deed, id, entry.key);
    const receipt = receiptBody({
      ...told(started),
      ...kept,
      ...{ id, about: aboutGone(hands, entry), claims: factsOf(hands, session)?.claims ?? null },
      ...{ waived: [], rungs: [], archive: null, digests: null, survivors: [] },
    });
    await deed.receipt(receipt);
    return { session, body: { result: 'done', text }, value: receipt };
  });
}
