import type { StandInAnswer } from '../../client/ask-stand-in.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Settings } from '../../config/settings.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { Doctor } from '../../engine/doctor/doctor.ts';
import type { GateParts } from '../../engine/gate/parts.ts';
import type { StopAnswer } from '../../engine/gate/stop-answer.ts';
import type { StopRequest } from '../../engine/gate/stop-gate.ts';
import type { Look } from '../../engine/look/look.ts';
import type { NotifyTest } from '../../engine/notify/notify-test.ts';
import type { PressureLook } from '../../engine/pressure.ts';
import type { Archive } from '../../ports/archive.ts';
import type { DaemonControl } from '../../ports/daemon.ts';
import type { GuardProbes } from '../../ports/guard.ts';
import type { HistoryReader } from '../../ports/history.ts';
import type { HookConfig } from '../../ports/hook-config.ts';
import type { FindInstalled } from '../../ports/installed-agents.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { LockDesk } from '../../ports/lock.ts';
import type { Theatre } from '../demo/theatre.ts';
import type { ReapDesk } from '../reap/desk.ts';
import type { Begun } from '../up/supervision.ts';

/** Where a command prints. Without a terminal `columns` and `rows` are null: nothing is cut to a width then. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number | null;
  readonly rows: number | null;
  /** Calls back when the terminal's size changes; the returned function ends that. */
  onResize(listener: () => void): () => void;
}

/** Where a command reads keys. */
export interface Input {
  readonly isTTY: boolean;
  /** Keys one by one, without echo; only on a terminal. */
  setRawMode(isRaw: boolean): void;
  /** Calls back with what was typed; reading stops with the last listener, so that the process can end. */
  onText(listener: (text: string) => void): () => void;
}

/** Everything a command needs from outside. Commands never touch the process itself. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The socket of a label that `tmux -L` takes. */
  socketOf(label: string): string;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  readonly version: string;
  /** Of this process. */
  readonly pid: number;
  /** The words that start this very command again, for what is to run behind it. */
  readonly self: readonly string[];
  /** Runs a command in a session of its own, which outlives this one's terminal; gives what it said. */
  handOver(
    argv: readonly string[],
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  now(): number;
  /** Calls back instead of ending the process; the returned function ends that. */
  onSignal(signal: NodeJS.Signals, listener: () => void): () => void;
  /** Composed at the first call. */
  readonly look: Look;
  /** Finds the agents that are installed. */
  readonly installedAgents: FindInstalled;
  /** Where the demo plays. */
  theatre(): Promise<Theatre>;
  /** The hooks in the agents' own settings; `cwd` tells which project is meant. */
  hookConfig(cwd: string): Promise<HookConfig>;
  /** What was intended, done and declared. */
  ledger(): Promise<Ledger>;
  /** What was kept of closed sessions, to be compared. */
  archive(): Promise<Pick<Archive, 'differences'>>;
  /** What the daemon saw. */
  history(): Promise<HistoryReader>;
  /** Locks of projects, and the programs that run under them. */
  lockDesk(): Promise<LockDesk>;
  /** What a guard looks through; a tmux call may take `timeoutMs`. */
  guardProbes(timeoutMs: number): Promise<GuardProbes>;
  /** Everything that changes sessions; made anew at every call, with a ledger that the caller closes. */
  hands(): Promise<Hands>;
  /** Has the daemon look in the place of this process; null where none listens. */
  standIn(): Promise<((path: string) => Promise<StandInAnswer>) | null>;
  /** Starts, sees and ends the daemon from here. */
  daemonControl(): Promise<DaemonControl>;
  /** Supervises in this process: only the servers that are named, or all of them. */
  beginDaemon(servers: readonly string[]): Promise<Begun>;
  /** Looks at the memory pressure. */
  pressure(): Promise<PressureLook>;
  /** What the reaper is set and run with. */
  reapDesk(): Promise<ReapDesk>;
  /** What the stop gate is set, asked and ended with. Needs no config: whoever wants to stop must be able to. */
  gate(): Promise<GateParts>;
  /** Answers the hook of an agent that ends its turn. */
  answerStop(request: StopRequest): Promise<StopAnswer>;
  /** Sees what is wrong on this machine. */
  doctor(): Promise<Doctor>;
  /** Tries notification rules out. */
  notifyTest(): Promise<NotifyTest>;
  /** Read at the first use; a broken file makes that use fail with exit 2. */
  readonly settings: Settings;
  readonly config: LoadedConfig;
}
