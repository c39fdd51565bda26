import { receiptBody } from '../../../core/close/receipt.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import { endWords } from '../../../core/memory/ended.ts';
import { keepStarted } from '../conversations/started.ts';
import { perform } from '../deed.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import { aboutGone } from '../heard-start.ts';
import { closedBefore } from './closed-before.ts';
import type { Subject } from './look-at.ts';
import type { CloseOrder, CloseResult } from './order.ts';
import { newReceiptId } from './receipt-id.ts';
import type { CloseStep } from './steps.ts';

/** Nothing is touched: it is only said that nobody has to look for a session any more that is lost, or went with its program. */
export async function settleLost(hands: Hands, order: CloseOrder, subject: Subject): Promise<CloseResult> {
  const session = { key: subject.key, name: subject.name };
  const { wish, reason, entry, argv } = order;
  const plan = {
    ...{ action: 'close', session, argv },
    intend: (facts: SessionFacts | undefined) => (facts?.closed ? null : { archive: null, reason }),
  };
  const performed = await perform<CloseResult, CloseStep>(hands, plan, async (deed) => {
    const id = newReceiptId();
    const { kept } = await keepStarted(hands, deed, id, subject.key);
    const receipt = receiptBody({
      ...{ id, result: 'gone', reason, despite: wish.despite, isForced: wish.isForced },
      about: aboutGone(hands, entry),
      ...{ waived: [], rungs: [], archive: null, digests: null, survivors: [], resume: null },
      ...kept,
      claims: factsOf(hands, subject)?.claims ?? null,
    });
    await deed.receipt(receipt);
    const text = entry.ended ? `its program ${endWords(entry.ended)}` : 'it was lost';
    return { session, body: { result: 'done', text }, value: { state: 'gone', receipt } };
  });
  if (performed.state === 'performed') return performed.value;
  if (performed.state === 'busy') return { state: 'already-closing', by: performed.by };
  if (performed.state === 'failed') {
    return { state: 'failed', text: performed.text, hint: performed.hint, rungs: [] };
  }
  return closedBefore(hands, subject);
}
