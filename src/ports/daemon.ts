import type { Tier } from '../core/pressure/tier.ts';
import type { ReapMode } from '../core/reaper/standing.ts';
import type { SettleStanding } from '../core/settle/standing.ts';
import type { Roll } from '../core/sight/roll.ts';
import type { DaemonAnswer } from '../core/supervision/answering.ts';
import type { Round, Wake } from '../core/supervision/round.ts';

/** Something that calls for a round before its time. What it tells is a hint: it may come twice, late, or not at all. */
export interface WakeSource {
  start(wake: (why: Wake) => void): void;
  /** Told before the look of a round: what comes from then on may be missing in it. */
  begin?(): void;
  /** Told after each round, so that it knows what to listen to from now on. */
  follow(round: Round): void | Promise<void>;
  /** Ends it, and takes away whatever it left with others. */
  stop(): void | Promise<void>;
  /** Whether it cannot listen: then rounds have to find what it would tell. Told where others rely on it. */
  isDeaf?(): boolean;
}

/** Feels without a look whether anything has moved since a round. What it cannot tell has moved. */
export interface Stirring {
  /** Told right after a look: what servers and terminals do from then on has moved. */
  mark(roll: Roll): void;
  /** Told at the end of a round that may be followed late. */
  follow(): void;
  hasMoved(): boolean;
}

type LogValue = string | number | boolean | null;

/** What a daemon did and what went wrong, for people who look later. It never throws. */
export interface DaemonLog {
  note(event: string, fields?: Readonly<Record<string, LogValue>>): void;
  warn(event: string, fields?: Readonly<Record<string, LogValue>>): void;
}

/** Timers, replaceable in tests. */
export interface Timers {
  after(ms: number, call: () => void): () => void;
}

/** What a running daemon wrote down about itself, for whoever wants to reach it. */
export interface DaemonNote {
  readonly format: 1;
  readonly pid: number;
  readonly startTicks: number;
  readonly bootId: string;
  /** Absent where there is none to tell. */
  readonly pidNamespace?: string;
  readonly startedAt: number;
  readonly url: string | null;
  readonly socket: string | null;
  readonly tokenFile: string | null;
  /** What it has to do without. */
  readonly problems: readonly string[];
}

/** How a running daemon does, written every few seconds. */
export interface DaemonStanding {
  readonly format: 1;
  readonly pid: number;
  /** Absent in what an older daemon wrote. */
  readonly bootId?: string;
  readonly at: number;
  readonly rounds: number;
  readonly sessions: number;
  /** When the next round comes if nothing calls for it earlier; epoch ms. */
  readonly nextAt: number;
  /** The same on the clock that nobody can step; absent in what an older daemon wrote. */
  readonly nextAwakeMs?: number;
  /** Of the last round. */
  readonly roundMs: number;
  readonly roundCpuMs: number;
  readonly missedHints: number;
  readonly tier: Tier;
  readonly reaper: {
    readonly mode: ReapMode;
    readonly wanted: ReapMode;
    readonly pending: { readonly name: string; readonly dueAt: number } | null;
    readonly breaker: string | null;
  };
  /** What it closes by itself; absent in what an older daemon wrote. */
  readonly settle?: SettleStanding & {
    /** The servers that it looks at; null for all. */
    readonly servers: readonly string[] | null;
  };
}

/** Whether a daemon runs. The kernel's lock decides; files only tell more. */
export type DaemonSighting =
  | {
      readonly state: 'running';
      readonly pid: number;
      readonly since: number;
      /** Null until it is ready. */
      readonly note: DaemonNote | null;
      readonly standing: DaemonStanding | null;
    }
  | { readonly state: 'absent' }
  | {
      readonly state: 'unknown';
      readonly text: string;
      readonly hint: string;
      /** Whoever has the lock took it just now, or is about to be gone: the next look may tell. */
      readonly mayPass?: true;
    };

export interface StartedDaemon {
  readonly pid: number;
  /** How it ended; null while it runs. */
  ended(): string | null;
}

/** Starts, sees and ends the daemon of this user, from another process. */
export interface DaemonControl {
  readonly logPath: string;
  see(): DaemonSighting;
  /** Whether one that runs does its work; takes less than a second. Null while it is not ready. */
  answer(seen: Extract<DaemonSighting, { state: 'running' }>): Promise<DaemonAnswer | null>;
  startBehind(argv: readonly string[]): StartedDaemon;
  /** Asks exactly this one to end; false where it is gone. */
  askToStop(seen: Extract<DaemonSighting, { state: 'running' }>): boolean;
  /** Watches its process, from now on: tells what keeps it from being gone; null once it is. */
  watch(seen: Extract<DaemonSighting, { state: 'running' }>): () => string | null;
  endOfLog(lines: number): readonly string[];
  service(argv: readonly string[]): ServiceDesk;
}

/** What is written and run to have the daemon from login on, or not any more. */
export interface ServicePlan {
  readonly state: 'planned';
  readonly action: 'install' | 'uninstall';
  readonly path: string;
  /** What is there now. */
  readonly before: string | null;
  /** Null: it is removed. */
  readonly text: string | null;
  readonly commands: readonly (readonly string[])[];
}

export type ServiceApplied =
  /** `missed`: commands that could not be run, or failed. */
  | { readonly state: 'done'; readonly missed: readonly (readonly string[])[] }
  | { readonly state: 'failed'; readonly text: string };

export interface ServiceDesk {
  plan(
    action: ServicePlan['action'],
    isRunning: boolean,
  ): ServicePlan | { readonly state: 'refused'; readonly text: string; readonly hint: string };
  apply(plan: ServicePlan): ServiceApplied;
}
