import { closeSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 512 * 1024;

/**
 * The environment of a process, each entry between NULs; null when it may not be read, is too long to be read whole, or
 * is empty, as that of a process that has ended is.
 */
export function readEnvironment(path: string): string | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    let length = 0;
    for (let read = -1; read !== 0 && length < MAX_BYTES; length += read)
      read = readSync(fd, bytes, length, MAX_BYTES - length, null);
    return length === 0 || length === MAX_BYTES ? null : `\0${bytes.toString('latin1', 0, length)}`;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
