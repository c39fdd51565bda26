import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { succeeds } from '../../core/try-or.ts';
import { swapFiles } from '../native/swap-files.ts';

/** Puts the first file in the place of the second, and the second in that of the first. */
export function exchange(fresh: string, target: string): void {
  if (swapFiles(fresh, target)) return;
  // Nearly as good: only a file that is renamed to the target between these two calls would be gone.
  const old = `${fresh}.old`;
  linkSync(target, old);
  try {
    renameSync(fresh, target);
  } catch (error) {
    unlinkSync(old);
    throw error;
  }
  if (!succeeds(() => renameSync(old, fresh))) throw new ChangedMeanwhile({ keptAs: [old] });
}

// A link is made only where nothing is; a rename would replace what somebody has just put there.
export function putNew(from: string, path: string): void {
  try {
    linkSync(from, path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new ChangedMeanwhile() : error;
  }
}

/** A text that stood in a file, was out of its place for a moment, and was put back. Somebody may have read the file in that moment. */
export interface HiddenText {
  readonly path: string;
  /** What stood there before it. */
  readonly before: string;
  readonly after: string;
}

interface Meanwhile {
  readonly keptAs?: readonly string[];
  readonly hidden?: HiddenText;
  readonly writer?: number;
}

/** Somebody else wrote to the file. What they wrote stands in its place; where that could not be, it is in `keptAs`. */
export class ChangedMeanwhile extends Error {
  readonly keptAs: readonly string[];
  readonly hidden: HiddenText | null;

  constructor({ keptAs = [], hidden, writer }: Meanwhile = {}) {
    const what =
      writer === undefined
        ? 'it has changed since it was looked at'
        : `process ${writer} has it open for writing`;
    super(keptAs.length === 0 ? what : `${what}; what somebody wrote meanwhile is in ${keptAs.join(', ')}`);
    this.keptAs = keptAs;
    this.hidden = hidden ?? null;
  }
}
