import { readlinkSync, statSync } from 'node:fs';
import { namesIn } from './look.ts';
import { mayReach, readOpenElsewhere } from './open-elsewhere.ts';
import type { UserFile } from './user-file.ts';

/** Finds the process that has a file open for writing; null where there is none, or nobody has to be looked for. */
export type FindWriter = (file: Identity, names: readonly string[], isOver?: () => boolean) => number | null;

type Identity = Pick<UserFile, 'device' | 'inode'>;

/**
 * The process that has a file open for writing; null where there is none. Only Linux tells, and only of processes that
 * this user may look into. `names` are the last names that the file has now, so that few open files have to be
 * looked at closely. `isOver` is asked often, and ends the search early.
 */
export const writerOf: FindWriter = (file, names, isOver = () => false) => {
  for (const pid of namesIn('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    if (isOver()) return null;
    const isWriter = namesIn(`/proc/${pid}/fd`).some((open) => isWriting(file, names, pid, open));
    if (isWriter) return Number(pid);
  }
  return null;
};

function isWriting({ device, inode }: Identity, names: readonly string[], pid: string, open: string) {
  try {
    const link = readlinkSync(`/proc/${pid}/fd/${open}`).replace(/ \(deleted\)$/, '');
    if (!names.some((name) => link.endsWith(`/${name}`))) return false;
    const found = readOpenElsewhere(pid, open);
    if (!found?.isWriting) return false;
    const mount = found.mount();
    // It cannot be asked. Of a file that may be this one nobody says that it is not.
    if (mount === null) return found.inode === null || found.inode === String(inode);
    if (!mayReach(mount, device)) return false;
    const { dev, ino } = statSync(`/proc/${pid}/fd/${open}`);
    return dev === device && ino === inode;
  } catch {
    // It has been closed meanwhile.
    return false;
  }
}
