import type { LockSighting } from '../../core/lock/sighting.ts';
import { LOCK_ENDING, type LockSubject } from '../../core/lock/subject.ts';
import type { LockSightings } from '../../ports/lock.ts';
import { namesInOrThrow } from '../files/look.ts';
import { checkLockFolder, toFailed } from './lock-failure.ts';
import type { LockSight, lookAtLocks } from './look-at-locks.ts';
import { lookAtNameless } from './nameless-locks.ts';
import { rootMark } from './root-mark.ts';

/** Which locks are looked at, and how. */
interface Wanted {
  readonly look: typeof lookAtLocks;
  /** Every lock where there is none. */
  readonly project: string | undefined;
}

/** The locks whose files lie in a folder, and those that are held although their files do not lie there any more. */
export function seeLocks(folder: string, sight: LockSight, { look, project }: Wanted): LockSightings {
  try {
    checkLockFolder(folder);
    const names = namesInOrThrow(folder).filter((name) => name.endsWith(LOCK_ENDING));
    const nameless = lookAtNameless({ folder, names, project }, sight);
    // The file that took the place of one that is held says nothing.
    const listed = look(folder, names, sight).filter(
      (lock) => lock.state === 'held' || !nameless.some((held) => isSame(held, lock)),
    );
    const locks = [...nameless, ...listed];
    return { state: 'seen', locks: project === undefined ? locks : locksOf(project, locks) };
  } catch (error) {
    return toFailed(folder, error);
  }
}

// By another name it may be the same folder.
function locksOf(project: string, locks: readonly LockSighting[]): LockSighting[] {
  const root = rootMark(project);
  return locks.filter(
    (lock) =>
      lock.project === project || (lock.state === 'held' && root !== null && lock.holder?.root === root),
  );
}

function isSame(one: LockSubject, other: LockSubject): boolean {
  return one.name === other.name && one.project === other.project;
}
