import type { Head } from '../core/ledger/chain.ts';
import type { EntryDraft, LedgerEntry } from '../core/ledger/entry.ts';
import type { LedgerDamage } from '../core/ledger/verify-chain.ts';

/** Which entries to read; all of them otherwise. */
export interface LedgerSelection {
  /** Only what came after this entry, and only that part of the chain is followed: for whoever read up to there. */
  readonly after?: Head;
  /** Only entries from this time on, epoch ms. */
  readonly since?: number;
  /** Only entries about the sessions that this word names: a name, `$id` or key. */
  readonly about?: string;
}

/** What was read: the longest part that can be relied on. */
export interface LedgerReading {
  /** Nothing was ever recorded. */
  readonly isEmpty: boolean;
  readonly entries: readonly LedgerEntry[];
  /** The last entry that can be relied on, whether it was selected or not. */
  readonly head: Head;
  /** What ends that part too early, if anything does. */
  readonly damage: LedgerDamage | null;
}

/** What a full check found. */
export interface LedgerCheck extends LedgerReading {
  /** The database that was checked. */
  readonly path: string;
  /** The last entry that is known from beside the database; a loss of anything up to it is noticed. */
  readonly anchor: Head | null;
}

/** What came of a repair. */
export type LedgerRepair =
  | { readonly state: 'intact' }
  | {
      readonly state: 'repaired';
      readonly damage: LedgerDamage;
      /** Entries that were carried over. */
      readonly kept: number;
      /** The damaged database, which stays as it is. */
      readonly leftPath: string;
      readonly path: string;
    };

/** The record of everything that was intended, done and declared. Its functions throw a LedgerError. */
export interface Ledger {
  /** Records an entry and returns it as it is stored; it is on the disk then. Makes the ledger if there is none. */
  append(draft: EntryDraft): LedgerEntry;
  /** Never writes. */
  read(selection?: LedgerSelection): LedgerReading;
  /** Never writes. */
  verify(): LedgerCheck;
  /** Goes on in a new database with everything that can be relied on; only where something is damaged. */
  repair(): LedgerRepair;
  close(): void;
}
