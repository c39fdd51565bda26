import type { LostBy } from '../memory/lost-by.ts';

/**
 * `would-restore`: with --dry-run. `already`: it is there again, somebody else is bringing it back, or it was closed,
 * has ended or was completed since it was listed. `failed`: it is as it was, and can be tried again.
 */
export const RESTORE_RESULTS = ['would-restore', 'restored', 'already', 'failed'] as const;

/** One session that was lost, and what came of it. */
export interface RestoreReport {
  /** Of the session that was lost. */
  readonly key: string;
  readonly name: string;
  readonly socketPath: string;
  readonly lostBy: LostBy;
  /** When it was last known to be there; epoch ms. */
  readonly lastSeenAt: number;
  readonly result: (typeof RESTORE_RESULTS)[number];
  /** Why it failed, or where it is. */
  readonly text: string | null;
  readonly hint: string | null;
  /** The new one. */
  readonly session: { readonly key: string; readonly name: string } | null;
  readonly agent: string | null;
  readonly conversation: string | null;
  readonly windows: number;
  readonly panes: number;
  readonly isHeld: boolean;
  /** Its agent sleeps in it. */
  readonly isAsleep: boolean;
  /** What is not as it was. */
  readonly missing: readonly string[];
}
