import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

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
  const listed = textOf('/proc/locks');
  if (listed === null) return files;
  const inodes = new Set([...listed.matchAll(/ OFDLCK .* WRITE .*:(\d+) /g)].map(([, inode]) => inode));
  if (inodes.size === 0) return [];
  return files.filter(({ path }) => {
    const inode = kernelInode(path);
    return inode === null || inodes.has(inode);
  });
}

// As the kernel lists it with locks, which is not what stat says on every file system.
function kernelInode(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    return /^ino:\s*(\d+)$/m.exec(textOf(`/proc/self/fdinfo/${descriptor}`) ?? '')?.[1] ?? null;
  } finally {
    closeSync(descriptor);
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

function filesHeldBy(pid: number, sought: ReadonlyMap<string, SoughtFile>): Set<string> {
  const held = new Set<string>();
  for (const descriptor of descriptorsOf(pid)) {
    const shown = targetOf(pid, descriptor);
    const file = sought.get(basename(shown));
    if (file !== undefined && isLocking(pid, descriptor, shown, file)) held.add(file.path);
  }
  return held;
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

function targetOf(pid: number, descriptor: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return '';
  }
}

// A process in a mount namespace of its own shows another path, but the same inode.
function isLocking(pid: number, descriptor: string, shown: string, { path, inode }: SoughtFile): boolean {
  try {
    const info = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1');
    const locked = /^lock:.* OFDLCK .* WRITE .*:(\d+) /m.exec(info)?.[1];
    return locked !== undefined && (shown === path || locked === `${inode}`);
  } catch {
    return false;
  }
}
