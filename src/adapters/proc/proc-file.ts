import { closeSync, openSync, readSync } from 'node:fs';

/** What one look at a /proc file gave. A process that ended meanwhile is `gone`; every other failure is `refused`. */
export type ProcRead =
  | { readonly state: 'read'; readonly bytes: Buffer }
  | { readonly state: 'gone' }
  | { readonly state: 'refused'; readonly code: string };

/**
 * Reads a /proc file from its start up to `limitBytes`. The bytes live in a buffer that the next read overwrites:
 * /proc files are many and small, and an allocation for each would cost more than the read.
 */
export function readProcFile(path: string, limitBytes = SCRATCH.length): ProcRead {
  let file = -1;
  try {
    file = openSync(path, 'r');
    return { state: 'read', bytes: readAll(file, limitBytes) };
  } catch (error) {
    return failure(error);
  } finally {
    if (file >= 0) closeSync(file);
  }
}

/** The same as text, for the small files of the kernel; null when it cannot be had. */
export function readProcText(path: string): string | null {
  const read = readProcFile(path, TEXT_LIMIT_BYTES);
  return read.state === 'read' ? read.bytes.toString('utf8') : null;
}

/** Sorts an error of the file system: ENOENT when the folder of the process is gone, ESRCH when only its task is. */
export function failure(error: unknown): Exclude<ProcRead, { state: 'read' }> {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return code === 'ENOENT' || code === 'ESRCH' ? { state: 'gone' } : { state: 'refused', code };
}

// 128 KiB hold nearly every environment and command line; the mounts of a busy container host need more.
const SCRATCH = Buffer.allocUnsafeSlow(128 * 1024);
const TEXT_LIMIT_BYTES = 4 * 1024 * 1024;

// The kernel hands out these files a page or so at a time, so a short read is not the end; only an empty one is.
function readAll(file: number, limitBytes: number): Buffer {
  const full: Buffer[] = [];
  let filled = 0;
  for (let total = 0; total < limitBytes; ) {
    if (filled === SCRATCH.length) {
      full.push(Buffer.from(SCRATCH));
      filled = 0;
    }
    const count = readSync(
      file,
      SCRATCH,
      filled,
      Math.min(SCRATCH.length - filled, limitBytes - total),
      null,
    );
    if (count === 0) break;
    filled += count;
    total += count;
  }
  const rest = SCRATCH.subarray(0, filled);
  return full.length === 0 ? rest : Buffer.concat([...full, rest]);
}
