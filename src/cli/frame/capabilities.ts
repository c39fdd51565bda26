import type { StandInAnswer } from '../../client/ask-stand-in.ts';
import type { Settings } from '../../config/settings.ts';
import type { InstalledAgent } from '../../core/doctor/sightings.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { Doctor } from '../../engine/doctor/mender.ts';
import type { GateParts, StopAnswer } from '../../engine/gate/parts.ts';
import type { StopRequest } from '../../engine/gate/stop-gate.ts';
import type { Look } from '../../engine/look/look.ts';
import type { NotifyTest } from '../../engine/notify/notify-test.ts';
import type { PressureLook } from '../../engine/pressure.ts';
import type { Archive } from '../../ports/archive.ts';
import type { DaemonControl } from '../../ports/daemon.ts';
import type { GuardProbes } from '../../ports/guard.ts';
import type { HistoryReader } from '../../ports/history.ts';
import type { HookConfig } from '../../ports/hook-config.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { LockDesk } from '../../ports/lock.ts';
import type { Theatre } from '../demo/theatre.ts';
import type { ReapDesk } from '../reap/desk.ts';
import type { Begun } from '../up/supervision.ts';

/** Reads config at the first call; a broken file makes that call fail with exit 2. */
type Config = () => Promise<Settings>;

/**
 * What commands work with. Each is made when a command asks for it, so that a command loads only what it uses.
 * This is the one list of them: `src/compose/capabilities.ts` makes them, and commands find them in their surroundings.
 */
export interface Capabilities {
  /** Makes what looks at the machine. */
  eyes(config: Config): Promise<Look>;
  /** Makes everything that changes sessions, with a ledger that the caller closes. */
  hands(config: Config): Promise<Hands>;
  /** Has the daemon look in the place of this process; null where none listens. `written`: what the config files say. */
  standIn(config: Config, written: string): Promise<((path: string) => Promise<StandInAnswer>) | null>;
  /** Runs a command in a session of its own, which outlives this one's terminal; gives what it said. */
  handOver(
    config: Config,
    argv: readonly string[],
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  /** Finds the agents that are installed. */
  installedAgents(config: Config): Promise<readonly InstalledAgent[]>;
  /** Where the demo plays. */
  theatre(config: Config): Promise<Theatre>;
  /** The hooks in the agents' own settings; `cwd` tells which project is meant. */
  hookConfig(config: Config, cwd: string): Promise<HookConfig>;
  /** What was intended, done and declared. */
  ledger(config: Config): Promise<Ledger>;
  /** What was kept of closed sessions, to be compared. */
  archive(config: Config): Promise<Pick<Archive, 'differences'>>;
  /** What the daemon saw. */
  history(config: Config): Promise<HistoryReader>;
  /** Locks of projects, and the programs that run under them. */
  lockDesk(config: Config): Promise<LockDesk>;
  /** What a guard looks through; a tmux call may take `timeoutMs`. */
  guardProbes(config: Config, timeoutMs: number): Promise<GuardProbes>;
  /** Starts, sees and ends the daemon from here. */
  daemonControl(config: Config): Promise<DaemonControl>;
  /** Supervises in this process: only the servers that are named, or all of them. `protectNow` reads config anew. */
  beginDaemon(
    config: Config,
    servers: readonly string[],
    protectNow: () => readonly string[],
  ): Promise<Begun>;
  /** Looks at the memory pressure. */
  pressure(config: Config): Promise<PressureLook>;
  /** What the reaper is set and run with. */
  reapDesk(config: Config): Promise<ReapDesk>;
  /** What the stop gate is set, asked and ended with. */
  gate(config: Config): Promise<GateParts>;
  /** Answers the hook of an agent that ends its turn. */
  answerStop(config: Config, request: StopRequest): Promise<StopAnswer>;
  /** Sees what is wrong on this machine; `cwd` tells which project is meant. */
  doctor(config: Config, cwd: string): Promise<Doctor>;
  /** Tries notification rules out. */
  notifyTest(config: Config): Promise<NotifyTest>;
}

/** The same with the config of this call. */
export type Configured = {
  readonly [N in keyof Capabilities]: Capabilities[N] extends (config: Config, ...args: infer A) => infer R
    ? (...args: A) => R
    : never;
};

export function configured(capabilities: Capabilities, config: Config): Configured {
  const bound = Object.entries(capabilities).map(([name, make]) => [name, make.bind(null, config)]);
  return Object.fromEntries(bound) as Configured;
}
