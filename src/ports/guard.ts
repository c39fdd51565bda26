import type { GuardedLife } from '../core/guard/guarded.ts';
import type { ScreenSighting, ServerSighting } from '../core/sight/sighting.ts';

export type PulseReading =
  | {
      readonly state: 'alive';
      /** Stopped (SIGSTOP): it answers nobody. */
      readonly isStopped: boolean;
      readonly parentPid: number;
      /** Number of its controlling terminal, 0 without one: closing its pane takes it away at once. */
      readonly terminal: number;
    }
  | Exclude<GuardedLife, { state: 'alive' }>;

/** Follows one process, and never another one that got its pid. */
export interface Pulse {
  /** No fork, a few microseconds. */
  read(): PulseReading;
  close(): void;
}

export type SentinelWrite =
  | { readonly state: 'written' }
  | { readonly state: 'failed'; readonly text: string };

/** What a guard needs from outside. It looks only: starts no server, sends no signal. */
export interface GuardProbes {
  /** `startTicks` null: whichever process has the pid now. */
  openPulse(process: { readonly pid: number; readonly startTicks: number | null }): Pulse;
  /** One listing of one server: present, exactly absent, or failed. */
  list(socketPath: string, signal: AbortSignal): Promise<ServerSighting>;
  /** Screens of panes of this very server. */
  capture(socketPath: string, serverPid: number, paneIds: readonly string[]): Promise<ScreenSighting[]>;
  /** Why a sentinel could not be written there; null when nothing speaks against it. */
  sentinelProblem(path: string): string | null;
  /** What stands there that a sentinel must not replace: a device, a FIFO, a socket, a folder. */
  sentinelObstacle(path: string): string | null;
  /** Whole or not at all, and on the disk when it returns. */
  writeSentinel(path: string, text: string): SentinelWrite;
}
