import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/**
 * Reads a regular file of at most `maxBytes`; null where there is none. Non-blocking, so that a fifo which somebody
 * put in its place cannot hold a thread for ever. Throws on everything else, as `open` does.
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<string | null> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
    if (bytesRead > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
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
export async function entryAt(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** Its change time, epoch ms; 0 where nothing is. */
export function ctimeOf(entry: Stats | null): number {
  return entry === null ? 0 : Math.ceil(entry.ctimeMs);
}

const HOUR_MS = 3_600_000;

/** For what cannot be told: the end of this hour, so that one look after the other says the same. */
export function justNow(now: number): number {
  return Math.ceil(now / HOUR_MS) * HOUR_MS;
}
