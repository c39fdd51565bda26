import type { Settings } from '../../../src/config/settings.ts';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { EntrySession, LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { Round } from '../../../src/core/supervision/round.ts';
import type { SimAgent } from '../machine/agent.ts';
import type { Machine } from '../machine/machine.ts';
import type { Deeds } from './deeds.ts';
import type { Homes } from './homes.ts';
import type { Visits } from './visits.ts';

/** What is kept in the state folders, read without rollcall. */
export interface Kept {
  entries(install: string): readonly LedgerEntry[];
  /** What all of them together say of a session. */
  facts(install: string, key: string): SessionFacts | undefined;
  /** Who holds the lock of a session now: the name of its seat. */
  holder(install: string, session: EntrySession): string | null;
  /** The files of an archive, by name; null where there is none. */
  archive(install: string, id: string): ReadonlyMap<string, string> | null;
}

/** A round, whose it was, and when, awake ms. */
export interface TakenRound {
  readonly round: Round;
  readonly install: string;
  readonly atMs: number;
}

/** Everything that laws judge by. */
export interface Scene {
  /** Processes of rollcall that live, by name; and since when, awake ms. */
  readonly seats: ReadonlyMap<string, { readonly sinceMs: number }>;
  /** The last round of each daemon that lives, by the name of its seat. */
  readonly rounds: ReadonlyMap<string, TakenRound>;
  readonly machine: Machine;
  readonly settings: Settings;
  readonly kept: Kept;
  readonly deeds: Deeds;
  readonly homes: Homes;
  readonly visits: Visits;
  /** Every agent that ever lived, by its process. */
  readonly agents: ReadonlyMap<string, SimAgent>;
  /** When the calm began, ms of the story; null while things happen. */
  calmFromMs(): number | null;
}
