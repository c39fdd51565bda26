import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

export type OwnFile =
  | { readonly state: 'read'; readonly bytes: Buffer; readonly inode: bigint }
  | { readonly state: 'absent' }
  /** Without an inode the system was at fault (no descriptors, a failing disk), not the file. */
  | { readonly state: 'refused'; readonly text: string; readonly inode?: bigint };

/** Reads a regular file that belongs to the owner of its folder; follows no link and waits for no fifo. */
export function readOwnFile(folder: string, name: string, maxBytes: number): OwnFile {
  const path = join(folder, name);
  let entry: BigIntStats | undefined;
  try {
    entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (entry === undefined) return { state: 'absent' };
    const text = objection(entry, statSync(folder, { bigint: true }).uid, maxBytes);
    if (text !== null) return { state: 'refused', text, inode: entry.ino };
    return readBounded(path, maxBytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { state: 'absent' };
    const inode = code === 'EACCES' ? entry?.ino : undefined;
    return { state: 'refused', text: message, ...(inode === undefined ? {} : { inode }) };
  }
}

/** Moves it to `<name>.damaged`, unless somebody has put another one there since: that one may be good. */
export function keepAside(folder: string, name: string, inode: bigint): string {
  const path = join(folder, name);
  try {
    if (lstatSync(path, { bigint: true }).ino !== inode) return 'replaced meanwhile';
    renameSync(path, `${path}.damaged`);
    return `kept as ${name}.damaged`;
  } catch (error) {
    return `left where it is (${(error as Error).message})`;
  }
}

function objection(entry: BigIntStats, owner: bigint, maxBytes: number): string | null {
  if (entry.isSymbolicLink()) return 'it is a symbolic link';
  if (!entry.isFile()) return 'it is not a regular file';
  // Left by another user while the folder was open to others.
  if (entry.uid !== owner) return `it belongs to user ${entry.uid}`;
  return entry.size > BigInt(maxBytes) ? `it has ${entry.size} bytes, more than ${maxBytes}` : null;
}

function readBounded(path: string, maxBytes: number): OwnFile {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { ino, size } = fstatSync(file, { bigint: true });
    // What grows after this look stays unread, and is refused for being cut.
    const bytes = Buffer.alloc(Math.min(Number(size), maxBytes));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return { state: 'read', bytes: bytes.subarray(0, filled), inode: ino };
  } finally {
    closeSync(file);
  }
}
