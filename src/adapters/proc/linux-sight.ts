import { closeSync, openSync, realpathSync } from 'node:fs';
import type { ProcessMark } from '../../core/sight/identity.ts';
import { leadsElsewhere, mountAt, mountsIn } from '../../core/sight/mounts.ts';
import type { UnseenFolder } from '../../core/sight/process.ts';
import { linkAt } from '../files/look.ts';
import { readProcText } from './proc-file.ts';

/**
 * Tells whether paths lead other processes to the same files as rollcall. A path out of another process is looked up in rollcall's own mounts, where another folder may stand, or none. Only
 * the kernel is asked, and no file system: that of another namespace may give no answer. Where the kernel does not tell which
 * mounts rollcall itself has, all have the same.
 */
export function createLinuxSight(procRoot: string, now: () => number = Date.now) {
  const own = linkAt(`${procRoot}/self/ns/mnt`);
  const mountsOf = (pid: number | 'self') => mountsIn(readProcText(`${procRoot}/${pid}/mountinfo`) ?? '');
  const rootOf = (pid: number | 'self') => mountsOf(pid).find(({ place }) => place === '/')?.id;
  const namespaceOf = (pid: number) => linkAt(`${procRoot}/${pid}/ns/mnt`);
  const hasOwnRoot = (pid: number) => linkAt(`${procRoot}/${pid}/root`) === '/';
  // Those that were just seen to have the same mounts and root as rollcall: nearly all, and several ask about each.
  const same = new Map<number, number>();
  let sameSince = 0;
  const isSame = ({ pid, startTicks }: ProcessMark): boolean => {
    const age = now() - sameSince;
    if (age < 0 || age > SAME_MAX_AGE_MS) {
      same.clear();
      sameSince = now();
    }
    if (same.get(pid) === startTicks) return true;
    const namespace = namespaceOf(pid);
    const isIt = namespace === null ? isHiddenHere(pid) : namespace === own && hasOwnRoot(pid);
    if (isIt) same.set(pid, startTicks);
    return isIt;
  };
  // A program that guards its memory hides its links and not its mounts, whose numbers no other namespace has.
  const isHiddenHere = (pid: number): boolean => {
    const theirs = rootOf(pid);
    return theirs !== undefined && theirs === rootOf('self');
  };
  // The mounts of a process are listed as they are seen from its root.
  const isOther = (pid: number, path: string): boolean =>
    !hasOwnRoot(pid) || leadsElsewhere({ theirs: mountsOf(pid), ours: mountsOf('self') }, path);
  return {
    /** Why the folder that a process works in is not the one at this path; null where it is. */
    folder(pid: number, path: string | null): UnseenFolder | null {
      if (own === null) return null;
      const namespace = namespaceOf(pid);
      // The kernel writes the folder of a process with another root as it is called from here.
      if (namespace === own || (namespace === null && isHiddenHere(pid))) return null;
      if (namespace === null || path === null) return 'hidden';
      return isOther(pid, path) ? 'elsewhere' : null;
    },
    /** Whether it still stands there: something may have been mounted over it, or its mount was taken away. */
    standsAt(pid: number, path: string): boolean {
      if (own === null) return true;
      const mount = mountAt(mountsOf(namespaceOf(pid) === own ? 'self' : pid), path);
      // Where a file system may give no answer, nobody waits for it here.
      return mount !== null && (!mount.isSafe || mount.id === mountUnder(`${procRoot}/${pid}/cwd`));
    },
    /** The first of the paths that a process uses that is not the same file here; null where all are. */
    otherPath(process: ProcessMark, paths: () => readonly string[]): string | null {
      if (own === null || isSame(process)) return null;
      const { pid } = process;
      // A link may lead past the place where something is mounted.
      return paths().find((path) => isOther(pid, path) || isOther(pid, realPath(path))) ?? null;
    },
  };
}

// As old as the folder of a process may be (CWD_MAX_AGE_MS).
const SAME_MAX_AGE_MS = 1_000;

/** On which mount a folder is, without asking its file system: it is held, and not opened. */
function mountUnder(folder: string): string | null {
  let held = -1;
  try {
    held = openSync(folder, O_PATH);
    return /^mnt_id:\s*(\d+)$/m.exec(readProcText(`/proc/self/fdinfo/${held}`) ?? '')?.[1] ?? null;
  } catch {
    return null;
  } finally {
    if (held >= 0) closeSync(held);
  }
}

// Node does not name it.
const O_PATH = 0o10000000;

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
