import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { LockHolder } from '../../core/lock/holder.ts';
import { holderLife } from '../../core/lock/life.ts';
import { readHolder } from './holder-note.ts';
import { isLocked } from './lock-file.ts';
import { checkLockFolder } from './lock-folder.ts';
import type { LockSight } from './look-at-locks.ts';

/** Who took a lock, by its note, where its file shows that it is held and that process lives; null wherever more is to be told. */
export function seeHolder(folder: string, name: string, sight: LockSight): LockHolder | null {
  const path = join(folder, name);
  try {
    checkLockFolder(lstatSync(folder), folder);
    const holder = isLocked(path) ? readHolder(path) : null;
    if (holder === null) return null;
    const here = { ...sight.host(), table: sight.processes.sense() };
    return holderLife(holder, here) === 'alive' ? holder : null;
  } catch {
    return null;
  }
}
