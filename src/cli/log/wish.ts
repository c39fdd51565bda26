import { entriesAbout } from '../../core/ledger/entries-about.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { LedgerSelection } from '../../ports/ledger.ts';

/** What a reader of the log asked for. */
export interface LogWish {
  /** A session's name, `$id` or key. */
  readonly about: string | null;
  readonly since: number | null;
  /** Only the last ones. */
  readonly limit: number | null;
}

/** What has to be read for that: only the last entries where nothing else is asked for. */
export function selectionFor({ about, since, limit }: LogWish): LedgerSelection {
  if (about !== null) return { about };
  if (since !== null) return { since };
  return limit === null ? {} : { last: limit };
}

/** The entries that a reader wants to see. */
export function wished(entries: readonly LedgerEntry[], { about, since, limit }: LogWish): LedgerEntry[] {
  const named = about === null ? entries : entriesAbout(entries, about);
  const recent = since === null ? named : named.filter(({ at }) => at >= since);
  return recent.slice(limit === null ? 0 : -limit);
}
