import { entriesAbout } from '../../core/ledger/entries-about.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';

/** What a reader of the log asked for. */
export interface LogWish {
  /** A session's name, `$id` or key. */
  readonly about: string | null;
  readonly since: number | null;
  /** Only the last ones. */
  readonly limit: number | null;
}

/** The entries that a reader wants to see. */
export function wished(entries: readonly LedgerEntry[], { about, since, limit }: LogWish): LedgerEntry[] {
  const named = about === null ? entries : entriesAbout(entries, about);
  const recent = since === null ? named : named.filter(({ at }) => at >= since);
  return recent.slice(limit === null ? 0 : -limit);
}
