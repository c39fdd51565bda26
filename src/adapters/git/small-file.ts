import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

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
