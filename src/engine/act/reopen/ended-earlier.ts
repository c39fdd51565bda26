import { readReceived } from '../../../core/close/bodies.ts';
import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import { isPartial, type LedgerEntry } from '../../../core/ledger/entry.ts';
import type { Hands } from '../hands.ts';

/**
 * What is said of the agents that closes of a session ended which then stopped, where it is made again from a later receipt:
 * they come back from receipts of their own. Nothing of one that was started again since, is started now, or ended before its session
 * was woken.
 */
export function endedEarlier(
  { ledger }: Pick<Hands, 'ledger'>,
  { facts, receipt }: Pick<ClosedSession, 'facts' | 'receipt'>,
  { agent: own }: Pick<Reopening, 'agent'>,
): string[] {
  if (receipt === null) return [];
  const isOwn = (word: string) => own?.conversation != null && word.includes(own.conversation);
  const { entries } = ledger.read({ about: facts.key });
  const before = entries.slice(
    0,
    entries.findIndex(({ sequence }) => sequence === receipt.sequence),
  );
  const since = before.slice(before.findLastIndex(({ action }) => action === 'wake') + 1);
  return since.filter(isPartialReceipt).flatMap(({ body }) => {
    const { receipt: id, resume, agent } = readReceived(body);
    if (id === null || resume === null || resume.some(isOwn)) return [];
    if (isStartedFrom(ledger.read({ about: id }).entries)) return [];
    return [`an earlier close ended ${agent?.kind ?? 'its agent'}: rollcall reopen ${id} starts it again`];
  });
}

function isPartialReceipt(entry: LedgerEntry): boolean {
  return entry.kind === 'receipt' && isPartial(entry);
}

function isStartedFrom(entries: readonly LedgerEntry[]): boolean {
  return entries.some(
    ({ kind, action, body }) => kind === 'outcome' && action === 'reopen' && body.result === 'done',
  );
}
