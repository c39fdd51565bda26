import type { EntryDraft } from '../../core/ledger/entry.ts';
import { GOING_DOWN_MS, missingIn, missingNotes } from '../../core/restore/offer.ts';
import type { Desk, RoundObserver } from './desk.ts';
import { lastingFor } from './lasting.ts';

/**
 * Has it recorded, once, that a session was gone while its server still answered: later, when the server is gone too, nobody
 * sees that any more. Not at once: a machine that goes down ends sessions some seconds before their server.
 */
export function createMissingObserver(
  ledger: Pick<Desk['ledger'], 'facts'>,
  record: (notes: readonly EntryDraft[]) => Promise<void>,
): RoundObserver {
  const lasting = lastingFor(GOING_DOWN_MS);
  return async ({ roll, now }) => {
    const missing = missingIn(roll.sessions);
    const keys = lasting(
      missing.map(({ key }) => key),
      now,
    );
    if (keys.size === 0) return;
    const { folded, damage } = ledger.facts();
    const notes = missingNotes(
      missing.filter(({ key }) => keys.has(key)),
      folded.facts,
    );
    if (damage === null && notes.length > 0) await record(notes);
  };
}
