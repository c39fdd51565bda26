import { receiptBody } from '../../../core/close/receipt.ts';
import type { ConversationClues } from '../../../core/conversation/clues.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import { isExpected } from '../../../core/memory/lost.ts';
import { identityOf, type SessionEntry } from '../../../core/sight/roll.ts';
import { newReceiptId } from '../close/receipt-id.ts';
import { keepStarted } from '../conversations/started.ts';
import { perform } from '../deed.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import { aboutGone } from '../heard-start.ts';

/** Nothing is touched: a session that has finished gets its receipt. False where somebody else is at it. */
export async function settleFinished(hands: Hands, entry: SessionEntry, reason: string): Promise<boolean> {
  const session = { key: entry.key, name: entry.name };
  const { server } = identityOf(entry);
  const plan = {
    ...{ action: 'close', session, argv: [] },
    intend: (facts: SessionFacts | undefined) =>
      isExpected(facts) ? { archive: null, reason, server: { ...server } } : null,
  };
  const performed = await perform<true, 'conversations'>(hands, plan, async (deed) => {
    const id = newReceiptId();
    const { started, kept } = await keepStarted(hands, deed, id, entry.key);
    await deed.receipt(
      receiptBody({
        ...{ id, result: 'finished', reason, despite: [], isForced: false },
        about: aboutGone(hands, entry),
        ...{ waived: [], rungs: [], archive: null, digests: null, survivors: [] },
        ...kept,
        resume: started && resumeOf(hands, started),
        claims: factsOf(hands, session)?.claims ?? null,
      }),
    );
    return { session, body: { result: 'done', text: reason }, value: true };
  });
  return performed.state === 'performed' || performed.state === 'moot';
}

/** How its agent goes on, where its conversation is known. */
function resumeOf({ agents }: Hands, { kind, conversation }: ConversationClues): readonly string[] | null {
  return agents.find((one) => one.kind === kind)?.resume?.(conversation)?.argv ?? null;
}
