import type { Head } from '../core/ledger/chain.ts';
import type { Folded } from '../core/ledger/current-facts.ts';
import type { EntryDraft, LedgerEntry } from '../core/ledger/entry.ts';
import type { LedgerDamage } from '../core/ledger/verify-chain.ts';

/** Which entries to read; all of them otherwise. */
export interface LedgerSelection {
  /** Only what came after this entry, and only that part of the chain is followed: for whoever read up to there. */
  readonly after?: Head;
  /** Only entries from this time on, epoch ms. */
  readonly since?: number;
  /** Only entries about the sessions that this word names: a name, `$id` or key, or the name of a receipt. */
  readonly about?: string;
  /** Only so many, the last ones, and only that part of the chain is followed. */
  readonly last?: number;
}

/** How far what was read can be relied on. */
export interface LedgerReach {
  /** Nothing was ever recorded. */
  readonly isEmpty: boolean;
  /** The last entry that can be relied on, whether it was selected or not. */
  readonly head: Head;
  /** What ends that part too early, if anything does. */
  readonly damage: LedgerDamage | null;
}

/** What was read: the longest part that can be relied on. */
export interface LedgerReading extends LedgerReach {
  readonly entries: readonly LedgerEntry[];
}

/** What all entries together say now. */
export interface FactsReading extends LedgerReach {
  readonly folded: Folded;
}

export interface LedgerCheck extends LedgerReach {
  readonly path: string;
  /** The last entry that is known from beside the database; a loss of anything up to it is noticed. */
  readonly anchor: Head | null;
  /** How many entries can be relied on, and the times of the first and the last of them. */
  readonly count: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** Sequences of intents without an outcome. */
  readonly openIntents: readonly number[];
  /** The notes that repairs left. */
  readonly repairs: readonly LedgerEntry[];
}

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
  /** Never writes to the ledger. What was folded before is kept, so that only what came since is read. */
  facts(): FactsReading;
  /** Never writes. Everything that it selects is in memory then. */
  read(selection?: LedgerSelection): LedgerReading;
  /**
   * Visits every entry that can be relied on, in order, a few of them in memory at a time. Never writes. It may have to
   * begin anew: what was visited before that counts no more.
   */
  scan(begin: () => (entry: LedgerEntry) => void): LedgerReach;
  /** Follows the whole chain, and has the store look through its pages. Never writes. */
  verify(begin?: () => (entry: LedgerEntry) => void): LedgerCheck;
  /** Goes on in a new database with everything that can be relied on; only where something is damaged. */
  repair(): LedgerRepair;
  close(): void;
}
