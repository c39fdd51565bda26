import { toLogDocument } from '../contract/ledger-documents.ts';
import type { LogDocument } from '../contract/ledger-schemas.ts';
import { entriesAbout } from '../core/ledger/entries-about.ts';
import type { LedgerEntry } from '../core/ledger/entry.ts';
import type { Ledger, LedgerReading, LedgerSelection } from '../ports/ledger.ts';
import type { At, LogPage, LogWish } from './at.ts';
import { Failure } from './failure.ts';

export async function log(wish: LogWish, at: Pick<At, 'readLog'>): Promise<LogDocument> {
  return toLogDocument(await at.readLog(wish));
}

/** Reads what was asked for. Fails where nothing was ever recorded about a session that is named. */
export function readLog(ledger: Pick<Ledger, 'read'>, wish: LogWish): LogPage {
  const reading = ledger.read(selectionFor(wish));
  if (wish.session !== undefined) requireKnown(reading, wish.session);
  const found = wished(reading.entries, wish);
  const isNewest = wish.after === undefined;
  const entries = isNewest ? found.slice(-(wish.limit ?? found.length)) : found.slice(0, wish.limit);
  const isMore = !isNewest && entries.length < found.length;
  return { ...reading, entries, next: isMore ? (entries.at(-1)?.sequence ?? null) : null };
}

/** What has to be read for that: only the last entries where nothing else is asked for. */
export function selectionFor({ session, since, after, limit }: LogWish): LedgerSelection {
  if (session !== undefined) return { about: session };
  if (since !== undefined) return { since };
  return limit === undefined || after !== undefined ? {} : { last: limit };
}

/** The entries that a reader wants to see, however many. */
export function wished(
  entries: readonly LedgerEntry[],
  { session, since = 0, after = 0 }: LogWish,
): LedgerEntry[] {
  const named = session === undefined ? entries : entriesAbout(entries, session);
  return named.filter(({ at, sequence }) => at >= since && sequence > after);
}

// Where the ledger is damaged, the session may be in the part that cannot be read.
function requireKnown({ entries, damage, isEmpty }: LedgerReading, word: string): void {
  if (damage !== null || entriesAbout(entries, word).length > 0) return;
  throw new Failure('not-found', `nothing was ever recorded about a session '${word}'`, {
    hint: isEmpty ? 'the ledger is empty' : 'rollcall log shows everything that was recorded',
  });
}
