import type { LockHolder } from './holder.ts';
import type { Life } from './life.ts';
import type { LockSubject } from './subject.ts';

/** A process that really holds a lock: it has the locked descriptor open. */
export interface HoldingProcess {
  readonly pid: number;
  readonly startedAt: number;
  readonly program: string;
  readonly argv: readonly string[];
  /** The one that took the lock, the runner it started, one that merely inherited it, or this very process, which did. */
  readonly part: 'taker' | 'runner' | 'descendant' | 'self';
}

/** One lock as it was seen. */
export interface LockSighting extends LockSubject {
  readonly file: string;
  readonly state: 'held' | 'free';
  /** What the last holder wrote about itself; null where nothing readable is there. */
  readonly holder: LockHolder | null;
  readonly holderLife: Life | null;
  /** Null where the system does not tell who has a file open. */
  readonly heldBy: readonly HoldingProcess[] | null;
}

/** Information that a holder left behind; only a free lock makes it so. */
export function isStale({ state, holder }: LockSighting): boolean {
  return state === 'free' && holder !== null;
}

/**
 * Processes that keep a lock although the taker and the runner are gone or ending: they inherited the descriptor. Empty
 * while the runner itself lives.
 */
export function leftBehind({ heldBy }: LockSighting): readonly HoldingProcess[] {
  const all = heldBy ?? [];
  return all.some(({ part }) => part === 'taker' || part === 'runner') ? [] : all;
}
