import { basename } from 'node:path';
import { linkAt, namesIn, textAt } from '../files/look.ts';
import { readOpenHere } from '../files/open-elsewhere.ts';

/** A lock file that is looked for among the open files of processes. */
export interface SoughtFile {
  readonly path: string;
  readonly inode: bigint;
}

/**
 * The pids that hold each of these files: they have it open, and the kernel lists an exclusive lock for that very
 * descriptor. Processes that may not be looked into are left out; null where there is no /proc.
 */
export function findHolding(
  pids: Iterable<number>,
  files: readonly SoughtFile[],
): ReadonlyMap<string, readonly number[]> | null {
  if (process.platform !== 'linux') return null;
  const sought = new Map(lockedAmong(files).map((file) => [basename(file.path), file]));
  const found = new Map<string, number[]>();
  if (sought.size === 0) return found;
  for (const pid of pids) {
    for (const path of filesHeldBy(pid, sought)) found.set(path, [...(found.get(path) ?? []), pid]);
  }
  return found;
}

/**
 * Those on which the kernel lists an exclusive lock; its list says nothing of who. With most locks free, nobody's open files
 * need to be looked through. What the kernel does not tell of may be locked.
 */
function lockedAmong(files: readonly SoughtFile[]): readonly SoughtFile[] {
  const listed = textAt('/proc/locks', 'latin1');
  if (listed === null) return files;
  const inodes = new Set([...listed.matchAll(/ OFDLCK .* WRITE .*:(\d+) /g)].map(([, inode]) => inode));
  if (inodes.size === 0) return [];
  return files.filter(({ path }) => {
    // As the kernel lists it with locks, which is not what stat says on every file system.
    const inode = readOpenHere(path)?.inode ?? null;
    return inode === null || inodes.has(inode);
  });
}

function filesHeldBy(pid: number, sought: ReadonlyMap<string, SoughtFile>): Set<string> {
  const held = new Set<string>();
  for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
    const shown = linkAt(`/proc/${pid}/fd/${descriptor}`) ?? '';
    const file = sought.get(basename(shown));
    if (file !== undefined && isLocking(pid, descriptor, shown, file)) held.add(file.path);
  }
  return held;
}

// A process in a mount namespace of its own shows another path, but the same inode.
function isLocking(pid: number, descriptor: string, shown: string, { path, inode }: SoughtFile): boolean {
  const info = textAt(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1') ?? '';
  const locked = /^lock:.* OFDLCK .* WRITE .*:(\d+) /m.exec(info)?.[1];
  return locked !== undefined && (shown === path || locked === `${inode}`);
}
