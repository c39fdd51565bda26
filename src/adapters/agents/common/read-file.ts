import { constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { withFile } from '../../files/own-file.ts';

/** A file, or the end of one, as it was at one moment. */
export interface FilePart {
  readonly inode: number;
  readonly modifiedAt: number;
  /** Its content, or its rights and names. */
  readonly changedAt: number;
  readonly text: string;
  /** There is more of the file than this. */
  readonly isCut: boolean;
}

export type FileRead =
  | ({ readonly state: 'read' } & FilePart)
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly text: string };

/** Reads at most the last `maxBytes` of a regular file. Pipes, devices and folders are failures, and never wait. */
export function readEnd(path: string, maxBytes: number): FileRead {
  return readPart(path, maxBytes, (size, length) => size - length);
}

/** Reads at most the first `maxBytes`, in the same way. */
export function readStart(path: string, maxBytes: number): FileRead {
  return readPart(path, maxBytes, () => 0);
}

function readPart(path: string, maxBytes: number, from: (size: number, length: number) => number): FileRead {
  try {
    // Most files that are asked for are not there, and an error costs more than this.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return { state: 'absent' };
    return withFile(openSync(path, NON_BLOCKING), (file) => {
      const stat = fstatSync(file);
      if (!stat.isFile()) return { state: 'failed', text: `${path} is not a regular file` };
      const length = Math.min(stat.size, maxBytes);
      const bytes = Buffer.alloc(length);
      // One read: what is written meanwhile is not put together from two.
      const read = length === 0 ? 0 : readSync(file, bytes, 0, length, from(stat.size, length));
      return {
        state: 'read',
        inode: stat.ino,
        modifiedAt: stat.mtimeMs,
        changedAt: Math.max(stat.ctimeMs, stat.mtimeMs),
        text: bytes.toString('utf8', 0, read),
        isCut: length < stat.size,
      };
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { state: 'absent' } : { state: 'failed', text: message };
  }
}

/** O_RDONLY | O_NONBLOCK: opening a pipe in its place must not wait for a writer. */
const NON_BLOCKING = constants.O_RDONLY | constants.O_NONBLOCK;
