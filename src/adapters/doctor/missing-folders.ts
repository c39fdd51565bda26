import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What the kernel adds to the working directory of a process once that was removed. */
const DELETED = ' (deleted)';

/**
 * Whether something is gone for certain. Where the folder above is missing too, a disk may only not be mounted, unless the
 * kernel itself says that the folder was removed.
 */
export function isGone(path: string): boolean {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
    return path.endsWith(DELETED) || statSync(dirname(path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Not ours to look into.
    return false;
  }
}
