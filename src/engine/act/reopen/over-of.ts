import { overSince } from '../../../core/restore/over.ts';
import type { SessionEntry } from '../../../core/roll.ts';
import type { Hands } from '../hands.ts';
import type { ReopenOrder, ReopenResult } from './order.ts';

/**
 * Whether what is to be restored is not lost any more, by what the ledger says at this moment. For whoever has the lock of the
 * session that is the last word: nobody else brings it back meanwhile.
 */
export function overOf(
  { ledger }: Pick<Hands, 'ledger'>,
  { lostAs }: Pick<ReopenOrder, 'lostAs'>,
  sessions?: readonly SessionEntry[],
): Extract<ReopenResult, { state: 'over' | 'failed' }> | null {
  if (lostAs === undefined) return null;
  const { key } = lostAs.facts;
  const { facts, openIntents } = ledger.facts().folded;
  const text = overSince(lostAs, { facts, entry: sessions?.find((one) => one.key === key) });
  if (text !== null) return { state: 'over', text };
  // Without the lock it may be somebody who lives.
  if (sessions === undefined) return null;
  const open = [...openIntents.values()].find((one) => one.action === 'reopen' && one.session?.key === key);
  return open === undefined ? null : { state: 'failed', ...CUT_SHORT };
}

const CUT_SHORT = {
  text: 'somebody else was bringing it back and was cut short',
  hint: 'run it again: every command that changes something finds out first what came of that',
};
