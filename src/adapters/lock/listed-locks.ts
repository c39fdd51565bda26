import { basename } from 'node:path';
import { linkAt, namesIn, textAt } from '../files/look.ts';
import { type OpenElsewhere, readOpenElsewhere, readOpenHere } from '../files/open-elsewhere.ts';

/** An exclusive lock on one byte of a file, as the kernel lists it. */
interface ListedLock {
  /** Device and inode as the kernel writes them, which is not what stat says on every file system. */
  readonly file: string;
  readonly byte: number;
}

/** A descriptor of some process that has a file open and locked. */
export interface LockedDescriptor {
  readonly pid: number;
  readonly descriptor: string;
  /** The name that its file has now, or had. */
  readonly name: string;
  readonly file: string;
  readonly bytes: readonly number[];
  readonly open: OpenElsewhere;
}

/** Every such lock on this machine, whoever holds it; null where the kernel does not tell. */
export function listedLocks(): readonly ListedLock[] | null {
  const text = textAt('/proc/locks', 'latin1');
  return text === null ? null : locksIn(text);
}

/** The file that a descriptor of this process has locked. */
export function lockedFile(descriptor: number): string | null {
  return locksIn(textAt(`/proc/self/fdinfo/${descriptor}`, 'latin1') ?? '')[0]?.file ?? null;
}

/** Which of these locks is one of the file at a path; null for none, and where it cannot be told. */
export function listedAt(path: string, locks: readonly ListedLock[]): string | null {
  const open = readOpenHere(path);
  // The table of mounts is read only for those that may be it.
  if (!locks.some(({ file }) => file.endsWith(`:${open?.inode}`))) return null;
  const device = open?.mount()?.device.split(':') ?? [];
  const written = device.map((part) => Number(part).toString(16).padStart(2, '0')).join(':');
  return locks.find(({ file }) => file === `${written}:${open?.inode}`)?.file ?? null;
}

/** The files that these processes have open and locked; names can change. Skips processes it may not look into. */
export function lockedDescriptors(pids: Iterable<number>): LockedDescriptor[] {
  return [...pids].flatMap((pid) =>
    namesIn(`/proc/${pid}/fd`).flatMap((descriptor) => {
      const shown = linkAt(`/proc/${pid}/fd/${descriptor}`) ?? '';
      if (NO_FILE.test(shown)) return [];
      const open = readOpenElsewhere(pid, descriptor);
      const locks = locksIn(open?.told ?? '');
      const [first] = locks;
      if (open === null || first === undefined) return [];
      const name = shown.replace(/ \(deleted\)$/, '');
      return [{ pid, descriptor, name, open, file: first.file, bytes: locks.map(({ byte }) => byte) }];
    }),
  );
}

// Most of what is open.
const NO_FILE = /^(?:socket|pipe|anon_inode):/;

function locksIn(text: string): ListedLock[] {
  const lines = text.matchAll(/ OFDLCK .* WRITE +-?\d+ ([0-9a-f]+:[0-9a-f]+:\d+) (\d+) (\d+)$/gm);
  return [...lines].flatMap(([, file = '', from, to]) => (from === to ? [{ file, byte: Number(from) }] : []));
}

/** A lock file that is looked for among the open files of processes. */
export interface SoughtFile {
  readonly path: string;
  readonly inode: bigint;
}

/**
 * The pids that hold each of these files: they have it open, and the kernel lists an exclusive lock for that descriptor.
 * Skips processes it may not look into; null without /proc.
 */
export function findHolding(pids: Iterable<number>, files: readonly SoughtFile[]) {
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
 * Those with an exclusive lock in the kernel's list, which does not say whose. Most locks are free: then no open files
 * need to be searched. A file that the kernel does not tell of may be locked.
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
