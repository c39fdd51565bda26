import { readStarted } from '../../../core/close/bodies.ts';
import { type ClosedSession, lostSession } from '../../../core/close/find-receipt.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import type { Hands } from '../hands.ts';

/** A session with all that the ledger has of how it was made: its own entries, and the receipts that it was made from. */
export function lostSessionOf({ ledger }: Pick<Hands, 'ledger'>, facts: SessionFacts): ClosedSession {
  const own = ledger.read({ about: facts.key }).entries;
  const from = own.flatMap(({ body, action }) =>
    action === 'reopen' ? (readStarted(body).receipt ?? []) : [],
  );
  const receipts = [...new Set(from)].flatMap((about) => ledger.read({ about }).entries);
  const entries = new Map([...own, ...receipts].map((entry) => [entry.sequence, entry]));
  return lostSession(
    facts,
    [...entries.values()].sort((one, other) => one.sequence - other.sequence),
  );
}
