import type { EntryDraft } from '../../core/ledger/entry.ts';
import type { SettleEvent } from '../../core/settle/standing.ts';

const ACTIONS: Readonly<Record<SettleEvent['kind'], string | null>> = {
  'would-close': 'settle-would-close',
  failed: 'settle-failed',
  // The close itself has recorded it, with its receipt.
  closed: null,
  // Nothing was done, and it may happen often.
  skipped: null,
};

/** What the ledger is told of the settler. */
export function settleNotes(events: readonly SettleEvent[]): EntryDraft[] {
  return events.flatMap(({ kind, session, code, text, nextAt }): EntryDraft[] => {
    const action = ACTIONS[kind];
    return action === null ? [] : [{ kind: 'note', action, session, body: { code, text, nextAt } }];
  });
}
