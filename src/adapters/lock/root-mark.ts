import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';

/**
 * Which folder it is, by device and inode: the same through every path, link and bind mount, and after it was moved. Null
 * where there is none, or where the kernel does not list its locks.
 */
export function rootMark(folder: string): string | null {
  if (process.platform !== 'linux') return null;
  const entry = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return entry === undefined ? null : `${entry.dev}:${entry.ino}`;
}

/** Behind the bytes that are locked in every file. */
const FIRST = 2 ** 20;

/**
 * The byte that a holder locks beside the others, in whichever file it has. The kernel lists locked bytes, so that a holder
 * whose file was removed or has another name is still found by it.
 */
export function byteOf(name: string, root: string): number {
  const digest = createHash('sha256').update(`${name}\0${root}`).digest('hex');
  return FIRST + Number.parseInt(digest.slice(0, 11), 16);
}
