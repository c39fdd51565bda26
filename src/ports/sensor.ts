import type { ThreadRest } from '../core/doctor/rest.ts';
import type { Ties } from '../core/doctor/ties.ts';
import type { HostIdentity, ProcessMark } from '../core/sight/identity.ts';
import type { ProcessPlace } from '../core/sight/marks.ts';
import type {
  HostMemory,
  Process,
  ProcessDetails,
  ProcessMarkers,
  ProcessTable,
  TerminalHolders,
} from '../core/sight/process.ts';
import type {
  GitSighting,
  ScreenSighting,
  ServerSighting,
  ShellGlance,
  ShellSighting,
} from '../core/sight/sighting.ts';
import type { Moment } from '../core/text/moment.ts';
import type { DaemonSigns } from '../core/verdict/keepers.ts';

/** Sees every tmux server of this user. Looks only: starts no server, attaches no client, sets no option. */
export interface TmuxSensor {
  /**
   * Lists all servers. `processes` is called once the first listings are under way, so that both run at the same
   * time; it is how servers outside the socket folders and stopped servers are found.
   */
  sense(processes: () => ProcessTable): Promise<ServerSighting[]>;
  /**
   * Captures visible screens, in as few calls as the argument limit allows; with so many rows of history before them where
   * the caller asks for it, and the cursor's row counted from the first.
   */
  capture(socketPath: string, paneIds: readonly string[], rowsAbove?: number): Promise<ScreenSighting[]>;
  /**
   * Has a server look which programs have ended: builds with utempter (up to 3.5) miss some, and then neither tell how nor
   * run the hook that writes it down.
   */
  wake(socketPath: string): Promise<void>;
}

/** Sees what processes have open: which files, and nothing that is in them. */
export interface OpenFileSensor {
  /** Which of these processes have which of these terminals open. Whom nobody may read has none. */
  holdersOf(ttys: readonly string[], among: Iterable<Process>): TerminalHolders;
  /** Those of them that read from a pipe or a socket, and write to one, in place of a terminal or a file. */
  pipedAmong(processes: Iterable<ProcessMark>): ReadonlySet<number>;
  /** Those of them that read from a pipe or a socket, and write to neither nor to a terminal. */
  readersAmong(processes: Iterable<ProcessMark>): ReadonlySet<number>;
  /** Whether they keep terminals for others (they have a master side open); null where that cannot be read. */
  keepTerminals(processes: Iterable<ProcessMark>): ReadonlyMap<number, boolean | null>;
}

/** Which of the dearer readings the caller has a use for; what is not named is read. */
export interface DetailNeeds {
  /** This and memory cost most to read. */
  readonly io?: boolean;
  readonly memory?: boolean;
  readonly cwd?: boolean;
}

/** Sees processes. Everything is keyed by pid and start mark, and a process that is gone is left out. */
export interface ProcessSensor extends OpenFileSensor {
  sense(): ProcessTable;
  details(processes: Iterable<ProcessMark>, needs?: DetailNeeds): Map<number, ProcessDetails>;
  markers(processes: Iterable<ProcessMark>): Map<number, ProcessMarkers>;
  /** What they show of being daemons, besides their names. */
  daemonSigns(processes: Iterable<ProcessMark>): ReadonlyMap<number, DaemonSigns>;
  /** In which pid namespace they live, and under which number; whom nobody may read has none. */
  placesOf(processes: Iterable<ProcessMark>): ReadonlyMap<number, ProcessPlace>;
  /** What a process was started with; null where that cannot be read. */
  environment(process: ProcessMark): Readonly<Record<string, string>> | null;
  /** Whether the folder that it works in is still the one at its path, and not below something that was mounted there. */
  standsAt(process: ProcessMark, path: string): boolean;
  /** The first of the paths that a process uses that is not the same file for rollcall; null where all are. */
  otherPath(process: ProcessMark, paths: () => readonly string[]): string | null;
}

/** Knows which user a process runs as, and whether it was told to stay. */
export interface ProcessOwners {
  /** Real user ids by pid; a process that is gone, or that cannot be read, is left out. */
  uids(processes: Iterable<ProcessMark>): Map<number, number>;
  /** Whether each ignores the end of its terminal (SIGHUP), as `nohup` has it; who cannot be read is left out. */
  ignoresHangup(processes: Iterable<ProcessMark>): Map<number, boolean>;
}

/** Sees whether anybody can still talk to a process, and whether it sleeps. */
export interface ProcessTies {
  /** What each has open towards others; null where that cannot be read. Costs a pass over what all processes have open. */
  tiesOf(processes: Iterable<ProcessMark>): ReadonlyMap<number, Ties | null>;
  /** How each stands right now; whom nobody may read is left out. */
  restOf(processes: Iterable<ProcessMark>): ReadonlyMap<number, ThreadRest>;
}

/** Sees what a shell does at its terminal. */
export interface ShellSensor {
  /** Dear: asked only where everything cheaper speaks for an empty prompt. */
  sense(shell: ProcessMark): Promise<ShellSighting>;
  /** Cheap: asked at every look. Null where the kernel does not tell. */
  glance(shell: ProcessMark & { readonly program: string }): ShellGlance | null;
}

/** Sees git facts of working directories, one answer for each that was asked for. */
export interface GitSensor {
  /** `isFresh`: nothing that an earlier look saw is taken for what is there now. */
  sense(cwds: readonly string[], isFresh?: boolean): Promise<GitSighting[]>;
}

export interface HostSensor {
  identity(): HostIdentity;
  now(): Moment;
  memory(): HostMemory | null;
}
