import type { Input } from '../contract/operations.ts';
import type { StatusFacts } from '../contract/status-document.ts';
import type { LedgerEntry } from '../core/ledger/entry.ts';
import type { Roll } from '../core/sight/roll.ts';
import type { RolePolicies } from '../core/verdict/policy.ts';
import type { Hands } from '../engine/act/hands.ts';
import type { Doctor } from '../engine/doctor/mender.ts';
import type { GateParts } from '../engine/gate/parts.ts';
import type { LookOptions } from '../engine/look/look.ts';
import type { HistoryReader } from '../ports/history.ts';
import type { LedgerReading } from '../ports/ledger.ts';

/** What a reader of the log asked for. */
export type LogWish = Input<'log'>;

/** A part of the ledger. */
export interface LogPage extends LedgerReading {
  /** `after` of the next page; null where this is the last one. */
  readonly next: number | null;
}

/** How an operation looks. */
export interface AtLook extends LookOptions {
  /** What was seen a moment ago is good enough. */
  readonly mayBeEarlier?: boolean;
  /** One look may serve several who wait. */
  readonly mayBeShared?: boolean;
}

/** What is made only for whoever asks for it. */
export interface Instruments {
  /** What sees everything that may be wrong on this machine. */
  doctor(): Promise<Pick<Doctor, 'gather'>>;
  /** The contracts of the stop gate. */
  gate(): Promise<GateParts>;
  /** What the daemon saw. */
  history(): Promise<HistoryReader>;
}

/** What an operation works with, wherever it runs. */
export interface At extends Instruments {
  now(): number;
  readonly policies: RolePolicies;
  /** What is started in a pane without an agent. */
  readonly shell: string;
  /** The words of whoever asked, for those who wait for the same lock. */
  readonly argv: readonly string[];
  /** Where whoever asked is: paths are meant from there. */
  readonly cwd: string;
  /** The environment of this process is that of whoever asked. */
  readonly isCallerHere: boolean;
  /** Only what is done counts: nobody reads the session as it is afterwards. */
  readonly isBrief: boolean;
  /** Ends what only waits: nobody is there any more to hear of it. */
  readonly signal?: AbortSignal;
  look(options?: AtLook): Promise<Roll>;
  /** The socket of a server that is named by its label, or by the path of its socket. */
  socketOf(word?: string): string;
  readLog(wish: LogWish): Promise<LogPage>;
  /** The machine with its daemon, its pressure and its ledger; only these servers, or all of them. */
  seeMachine(servers: readonly string[]): Promise<StatusFacts>;
  /** Every entry of the ledger that can be relied on. Throws a LedgerError where it cannot be read. */
  entries(): Promise<readonly LedgerEntry[]>;
  /** Does something with hands of its own, which are put away afterwards. */
  withHands<T>(work: (hands: Hands) => Promise<T>): Promise<T>;
}
