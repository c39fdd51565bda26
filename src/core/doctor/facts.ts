import type { SessionFacts } from '../ledger/current-facts.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import type { Recollection } from '../memory/recollection.ts';
import type { ProcessTable } from '../sight/process.ts';
import type { Roll } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import type { ProcessScene } from './process-scene.ts';
import type { CareSightings, MachineSightings } from './sightings.ts';

/** Everything that one run of the doctor saw. Gathered once; every check judges the same moment. */
export interface DoctorFacts {
  /** One look at all servers. */
  readonly roll: Roll;
  /** The process table that this look was made with. */
  readonly table: ProcessTable;
  readonly ledger: LedgerFacts;
  /** What earlier looks had left, before this one; null where there was none, or none of this boot. */
  readonly recollection: Recollection | null;
  /** Processes that no live pane has, with what they tell of themselves. */
  readonly processes: ProcessScene;
  /** When it was: durations are between these. */
  readonly now: Moment;
  /** What the machine checks look at. */
  readonly machine: MachineSightings;
  /** What the session checks look at besides. */
  readonly care: CareSightings;
  /** The pattern that marks a session name as managed by people, if one does. */
  protectedBy(name: string): string | undefined;
}

/** What it takes to tell whose processes are; gathered anew right before one is ended. */
export type ProcessFacts = Pick<
  DoctorFacts,
  'roll' | 'table' | 'ledger' | 'recollection' | 'processes' | 'protectedBy' | 'now'
>;

/** By what sessions are known: those that were seen, and those that were recorded. */
export type KnownSessions = Pick<DoctorFacts, 'roll' | 'ledger'>;

/** What the ledger says, or why it says nothing: then nothing is proven to be ours. */
export type LedgerFacts =
  | {
      readonly state: 'read';
      readonly entries: readonly LedgerEntry[];
      readonly sessions: ReadonlyMap<string, SessionFacts>;
      /** Why not all of it can be relied on, in words. */
      readonly damage: string | null;
    }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string };
