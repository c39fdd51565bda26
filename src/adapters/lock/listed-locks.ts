import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { LOCK_ENDING } from '../../core/lock/subject.ts';

/** An exclusive lock on one byte of a file, as the kernel lists it. */
interface ListedLock {
  /** Device and inode as the kernel writes them, which is not what stat says on every file system. */
  readonly file: string;
  readonly byte: number;
}

/** A descriptor of some process that has a lock file open and locked. */
export interface LockedDescriptor {
  readonly pid: number;
  /** Opens the very file, also where it has no name any more. */
  readonly path: string;
  /** The name that it had. */
  readonly name: string;
  readonly isRemoved: boolean;
  readonly file: string;
  readonly bytes: readonly number[];
}

const REMOVED = ' (deleted)';

/** Every such lock on this machine, whoever holds it; null where the kernel does not tell. */
export function listedLocks(): readonly ListedLock[] | null {
  const text = textOf('/proc/locks');
  return text === null ? null : locksIn(text);
}

/** The file that a descriptor of this process has locked. */
export function lockedFile(descriptor: number): string | null {
  return locksIn(textOf(`/proc/self/fdinfo/${descriptor}`) ?? '')[0]?.file ?? null;
}

/** Lock files that processes have open and locked. Processes that may not be looked into are left out. */
export function lockedDescriptors(pids: Iterable<number>): LockedDescriptor[] {
  return [...pids].flatMap((pid) =>
    namesIn(`/proc/${pid}/fd`).flatMap((number) => {
      const path = `/proc/${pid}/fd/${number}`;
      const shown = targetOf(path);
      const isRemoved = shown.endsWith(REMOVED);
      const name = isRemoved ? shown.slice(0, -REMOVED.length) : shown;
      if (!name.endsWith(LOCK_ENDING)) return [];
      const locks = locksIn(textOf(`/proc/${pid}/fdinfo/${number}`) ?? '');
      const [first] = locks;
      if (first === undefined) return [];
      return [{ pid, path, name, isRemoved, file: first.file, bytes: locks.map(({ byte }) => byte) }];
    }),
  );
}

function locksIn(text: string): ListedLock[] {
  const lines = text.matchAll(/ OFDLCK .* WRITE +-?\d+ ([0-9a-f]+:[0-9a-f]+:\d+) (\d+) (\d+)$/gm);
  return [...lines].flatMap(([, file = '', from, to]) => (from === to ? [{ file, byte: Number(from) }] : []));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
