import type { HostIdentity } from '../core/sight/identity.ts';
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
  pipedAmong(processes: Iterable<{ readonly pid: number; readonly startTicks: number }>): ReadonlySet<number>;
  /** Those of them that read from a pipe or a socket, and write to neither nor to a terminal. */
  readersAmong(
    processes: Iterable<{ readonly pid: number; readonly startTicks: number }>,
  ): ReadonlySet<number>;
  /** Whether they keep terminals for others (they have a master side open); null where that cannot be read. */
  keepTerminals(
    processes: Iterable<{ readonly pid: number; readonly startTicks: number }>,
  ): ReadonlyMap<number, boolean | null>;
}

/** Sees processes. Everything is keyed by pid and start mark, and a process that is gone is left out. */
export interface ProcessSensor extends OpenFileSensor {
  sense(): ProcessTable;
  /** Storage counters and memory cost most to read; they and the folder are left out where the caller says so. */
  details(
    processes: Iterable<{ readonly pid: number; readonly startTicks: number }>,
    wanted?: { readonly io?: boolean; readonly memory?: boolean; readonly cwd?: boolean },
  ): Map<number, ProcessDetails>;
  markers(
    processes: Iterable<{ readonly pid: number; readonly startTicks: number }>,
  ): Map<number, ProcessMarkers>;
  /** What they show of being daemons, besides their names. */
  daemonSigns(
    processes: Iterable<{ readonly pid: number; readonly startTicks: number }>,
  ): ReadonlyMap<number, DaemonSigns>;
  /** In which pid namespace they live, and under which number; whom nobody may read has none. */
  placesOf(
    processes: Iterable<{ readonly pid: number; readonly startTicks: number }>,
  ): ReadonlyMap<number, ProcessPlace>;
  /** What a process was started with; null where that cannot be read. */
  environment(process: {
    readonly pid: number;
    readonly startTicks: number;
  }): Readonly<Record<string, string>> | null;
  /** Whether the folder that it works in is still the one at its path, and not below something that was mounted there. */
  standsAt(process: { readonly pid: number; readonly startTicks: number }, path: string): boolean;
  /** The first of the paths that a process uses that is not the same file for rollcall; null where all are. */
  otherPath(
    process: { readonly pid: number; readonly startTicks: number },
    paths: () => readonly string[],
  ): string | null;
}

/** Sees what a shell does at its terminal. */
export interface ShellSensor {
  /** Dear: asked only where everything cheaper speaks for an empty prompt. */
  sense(shell: { readonly pid: number; readonly startTicks: number }): Promise<ShellSighting>;
  /** Cheap: asked at every look. Null where the kernel does not tell. */
  glance(shell: {
    readonly pid: number;
    readonly startTicks: number;
    readonly program: string;
  }): ShellGlance | null;
}

/** Sees git facts of working directories, one answer for each that was asked for. */
export interface GitSensor {
  /** `isFresh`: nothing that an earlier look saw is taken for what is there now. */
  sense(cwds: readonly string[], isFresh?: boolean): Promise<GitSighting[]>;
}

/** Knows the machine itself. */
export interface HostSensor {
  identity(): HostIdentity;
  now(): Moment;
  memory(): HostMemory | null;
}
