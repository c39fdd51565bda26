import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

/**
 * Reads a regular file of at most `maxBytes`; null where there is none. Non-blocking, so that a fifo in its place cannot
 * hold a thread for ever. Throws on everything else, as `open` does.
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<string | null> {
  const file = await openIfThere(path);
  if (file === null) return null;
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
    if (bytesRead > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Opens a file for reading; null where there is none. */
export function openIfThere(path: string): Promise<FileHandle | null> {
  return unlessAbsent(open(path, constants.O_RDONLY | constants.O_NONBLOCK), null);
}

/** What a file call gives, or this where its path names nothing. */
export async function unlessAbsent<T, U>(call: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await call;
  } catch (error) {
    if (isAbsence(error)) return otherwise;
    throw error;
  }
}

/** The path names nothing: the only failure of a file call that is a fact about the file. */
export function isAbsence(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** When a file was last changed, by the kernel's own note, which nobody can set back; 0 where there is none. */
export async function changeOf(path: string): Promise<number> {
  return ctimeOf(await entryAt(path));
}

/** What is there, itself and not what it links to; null where nothing is. */
export function entryAt(path: string): Promise<Stats | null> {
  return unlessAbsent(lstat(path), null);
}

export async function exists(path: string): Promise<boolean> {
  return (await entryAt(path)) !== null;
}

/** Its change time, epoch ms; 0 where nothing is. */
export function ctimeOf(entry: Stats | null): number {
  return entry === null ? 0 : Math.ceil(entry.ctimeMs);
}

const HOUR_MS = 3_600_000;

/** For a time that is unknown: the end of this hour, so that several looks in a row say the same. */
export function justNow(now: number): number {
  return Math.ceil(now / HOUR_MS) * HOUR_MS;
}
