import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;

/** A small file of this user's own, or that there is none. Follows no link, waits for no fifo, and throws what it refuses. */
export function readSmallFile(path: string, maxBytes: number): { text: string; modifiedAt: number } | null {
  const file = openOrNull(path);
  if (file === null) return null;
  try {
    const entry = fstatSync(file);
    const own = process.getuid?.() ?? entry.uid;
    if (!entry.isFile()) throw new Error(`${path}: it is not a regular file`);
    if (entry.uid !== own) throw new Error(`${path}: it belongs to user ${entry.uid}`);
    if (entry.size > maxBytes) throw new Error(`${path}: it has ${entry.size} bytes, more than ${maxBytes}`);
    const bytes = Buffer.alloc(entry.size);
    const count = readSync(file, bytes, 0, bytes.length, 0);
    return { text: bytes.toString('utf8', 0, count), modifiedAt: entry.mtimeMs };
  } finally {
    closeSync(file);
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Replaces a file, whole and on the disk, or throws and leaves what was there. The one temporary name is written over by
 * the next writer, so that nothing piles up after a kill; of two at once the last wins, which their callers rule out or bear.
 * `before` is called when only the rename is left; what it throws leaves what was there.
 */
export function replaceSmallFile(path: string, text: string, before?: () => void): void {
  const temporary = `${path}.tmp`;
  try {
    const file = openSync(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    try {
      const bytes = Buffer.from(text);
      if (writeSync(file, bytes) !== bytes.length) throw new Error(`${path}: it could not be written whole`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    before?.();
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw error;
  }
  syncFolder(dirname(path));
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or nobody can.
  }
}

// Some file systems have nothing to do here and say so.
function syncFolder(path: string): void {
  const folder = openSync(path, O_RDONLY | O_DIRECTORY);
  try {
    fsyncSync(folder);
  } catch {
    // The rename is done; only a power cut could undo it.
  } finally {
    closeSync(folder);
  }
}
