import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { swapFiles } from '../native/swap-files.ts';
import { ChangedMeanwhile } from './changed-meanwhile.ts';

/** Afterwards the first name has what stood at the second. */
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
  try {
    renameSync(old, fresh);
  } catch {
    throw new ChangedMeanwhile({ keptAs: [old] });
  }
}

// A link is made only where nothing is; a rename would replace what somebody has just put there.
export function putNew(from: string, path: string): void {
  try {
    linkSync(from, path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new ChangedMeanwhile() : error;
  }
}
