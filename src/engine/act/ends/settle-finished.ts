import { findReceipt } from '../../../core/close/find-receipt.ts';
import { aboutEntry, receiptBody } from '../../../core/close/receipt.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import { objectIn, textIn } from '../../../core/ledger/json-values.ts';
import { isExpected } from '../../../core/lost.ts';
import { identityOf, type SessionEntry } from '../../../core/roll.ts';
import { newWord } from '../close/word.ts';
import { perform } from '../deed.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';

/** Nothing is touched: a session that has finished gets its receipt. False where somebody else is at it. */
export async function settleFinished(hands: Hands, entry: SessionEntry, reason: string): Promise<boolean> {
  const session = { key: entry.key, name: entry.name };
  const { server } = identityOf(entry);
  const plan = {
    ...{ action: 'close', session, argv: [] },
    intend: (facts: SessionFacts | undefined) =>
      isExpected(facts) ? { archive: null, reason, server: { ...server } } : null,
  };
  const performed = await perform<true, never>(hands, plan, async (deed) => {
    await deed.receipt(
      receiptBody({
        ...{ id: newWord(), result: 'finished', reason, despite: [], isForced: false },
        about: aboutEntry(entry),
        ...{ waived: [], rungs: [], archive: null, digests: null, survivors: [], notes: [] },
        resume: resumeOf(hands, entry.key),
        claims: factsOf(hands, session)?.claims ?? null,
      }),
    );
    return { session, body: { result: 'done', text: reason }, value: true };
  });
  return performed.state === 'performed' || performed.state === 'moot';
}

/** How its agent goes on, where its conversation was chosen at the start. */
function resumeOf(hands: Hands, key: string): readonly string[] | null {
  const found = findReceipt(hands.ledger.read({ about: key }).entries, key);
  const agent = found.state === 'one' ? objectIn(found.closed.start?.body.agent) : null;
  const [kind, conversation] = [textIn(agent?.kind), textIn(agent?.conversation)];
  if (kind === null || conversation === null) return null;
  return hands.agents.find((one) => one.kind === kind)?.resume?.(conversation)?.argv ?? null;
}
