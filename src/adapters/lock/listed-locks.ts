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

/**
 * The files that processes have open and locked, whatever their names: anybody may rename a file. Processes that may not be
 * looked into are left out.
 */
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
