import { readFileSync } from 'node:fs';
import { mountsIn } from '../../core/mounts.ts';
import type { BytePath } from './byte-path.ts';

/** Where something is mounted, so that a search can pass it by: to ask such a folder itself may wait for ever. */
export function mountPlaces(table = '/proc/self/mountinfo'): ReadonlySet<BytePath> {
  try {
    return new Set(mountsIn(readFileSync(table, 'latin1')).map(({ place }) => place));
  } catch {
    // Without such a table a search notices a mount by its device.
    return new Set();
  }
}
