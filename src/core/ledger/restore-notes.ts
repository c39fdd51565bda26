import type { LedgerEntry } from './entry.ts';
import { listIn, objectIn, textIn } from './json.ts';

/** The note that sessions were lost with their server; each is in one of them once. */
export const RESTORE_OFFER = 'restore-offer';

/** The note that a session was gone while its server still answered; of each there is one. */
export const SESSION_MISSING = 'session-missing';

/** The keys of the sessions that an entry offers to restore. */
export function offeredBy({ kind, action, body }: LedgerEntry): string[] {
  if (kind !== 'note' || action !== RESTORE_OFFER) return [];
  return listIn(body.sessions).flatMap((one) => textIn(objectIn(one)?.key) ?? []);
}
