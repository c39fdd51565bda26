import type { LockHolder } from '../core/lock/holder.ts';
import type { HoldingProcess, LockSighting } from '../core/lock/sighting.ts';
import type { LockSubject } from '../core/lock/subject.ts';

/** What the one who wants a lock says about itself. */
export interface LockClaim {
  readonly task: string | null;
  readonly argv: readonly string[];
}

/** A lock that is held. It lives as long as any process has its descriptor open, and no longer. */
export interface Hold {
  readonly file: string;
  readonly descriptor: number;
  /** Writes down which program runs under the lock. */
  noteRunner(pid: number): void;
  /** Whether its file is still the one at that path: where it is not, others may take the same lock. */
  isInPlace(): boolean;
  /** Closes this process's descriptor; whoever inherited it still holds the lock. */
  release(): void;
}

/** Why there is no lock to be had at all, and what to do about it. */
export interface LockFailed {
  readonly state: 'failed';
  readonly text: string;
  readonly hint: string;
}

export type LockOutcome =
  | { readonly state: 'held'; readonly hold: Hold }
  | { readonly state: 'busy'; readonly by: LockSighting }
  | LockFailed;

export interface LockWaiting {
  readonly timeoutMs: number;
  /** Called at once when the lock is busy, and then every `tellEveryMs`. */
  readonly onWait?: (by: LockSighting, waitedMs: number) => void;
  readonly tellEveryMs?: number;
}

/** Locks that the kernel releases: nothing is left to clean after a crash, a SIGKILL or a reboot. */
export interface Locks {
  tryLock(subject: LockSubject, claim: LockClaim): LockOutcome;
  /** Asks again and again for at most that long, then answers `busy`. Waiters are not served in order. */
  waitForLock(subject: LockSubject, claim: LockClaim, waiting: LockWaiting): Promise<LockOutcome>;
  /** Every lock of this user, or those of one project. Looking disturbs no one who takes a lock at the same time. */
  sightings(project?: string): LockSightings;
  /**
   * Who took this lock, where its file shows that it is held and its note names a living process of here. Null says nothing:
   * only `sightings`, which looks through the open files of every process, can tell that it is free.
   */
  holderOf(subject: LockSubject): LockHolder | null;
  /** Only those that are held: sessions leave many free ones behind, and to tell of these takes longer than of the rest. */
  heldNow(): LockSightings;
}

export type LockSightings = { readonly state: 'seen'; readonly locks: readonly LockSighting[] } | LockFailed;

/** The one writer of this user on this host. */
export interface WriterLock {
  /** Does the work while no other process does any, or says who is at it after `timeoutMs`. */
  hold<T>(
    claim: LockClaim,
    timeoutMs: number,
    work: () => Promise<T>,
  ): Promise<{ readonly state: 'done'; readonly value: T } | Exclude<LockOutcome, { state: 'held' }>>;
}

export type ProjectRoot =
  | { readonly state: 'found'; readonly path: string }
  | { readonly state: 'missing'; readonly text: string };

/** How a program that ran under a lock ended. */
export type RunnerEnd =
  | { readonly state: 'exited'; readonly exitCode: number }
  | { readonly state: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly state: 'not-started'; readonly code: string; readonly text: string };

export interface RunnerOutcome {
  readonly end: RunnerEnd;
  /** Processes that the runner left running and that still hold its lock. */
  readonly leftBehind: readonly HoldingProcess[];
}

export interface LockDesk {
  readonly locks: Locks;
  /** The canonical root of the project around a folder, or around the current one. */
  projectRoot(folder?: string): ProjectRoot;
  /** Runs a program in the foreground; the lock is handed to it, and released here when it ends. */
  run(hold: Hold, argv: readonly string[], onSignal: OnSignal): Promise<RunnerOutcome>;
}

/** Calls back instead of ending the process; the returned function ends that. */
export type OnSignal = (signal: NodeJS.Signals, listener: () => void) => () => void;
