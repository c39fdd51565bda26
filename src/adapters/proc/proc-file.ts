import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { linkAt, namesIn, statFields } from '../files/look.ts';

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
    const room = Math.min(SCRATCH.length - filled, limitBytes - total);
    const count = readSync(file, SCRATCH, filled, room, null);
    if (count === 0) break;
    filled += count;
    total += count;
  }
  const rest = SCRATCH.subarray(0, filled);
  return full.length === 0 ? rest : Buffer.concat([...full, rest]);
}

/**
 * Looks at the device that a descriptor of a process is open on; null for everything else. What the link itself does not show
 * to be a device is not touched: a look at a file on a mount that gives no answer would never return.
 */
export function statOpenDevice(folder: string, descriptor: string | number): Stats | null {
  const link = linkAt(`${folder}/fd/${descriptor}`) ?? '';
  const isDevice = isDeviceName(link) || (/^\/\d+$/.test(link) && isInDevpts(folder, descriptor));
  return isDevice ? statOf(`${folder}/fd/${descriptor}`) : null;
}

/** Whether it lies in `/dev` itself, or among the terminals. Deeper down anybody may mount something, as in the folder of shared memory. */
export function isDeviceName(link: string): boolean {
  return /^\/dev\/(?:pts\/)?[^/]+$/.test(link);
}

export function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

// A terminal that was mounted elsewhere (the console of a container) shows its number alone, as any file may.
function isInDevpts(folder: string, descriptor: string | number): boolean {
  const mount = /^mnt_id:\s*(\d+)$/m.exec(readProcText(`${folder}/fdinfo/${descriptor}`) ?? '')?.[1];
  const lines = readProcText(`${folder}/mountinfo`)?.split('\n') ?? [];
  return lines.some((line) => line.startsWith(`${mount} `) && / - devpts /.test(line));
}

/** What is left of a process whose first thread has ended. */
export interface LivingThread {
  /** Tells what /proc/PID does not tell any more: arguments, environment, folder, descriptors. */
  readonly folder: string;
  /** That of the busiest one. */
  readonly state: string;
}

/** Looks for a living thread besides the first one; null where there is none, or none can be read. */
export function livingThread(procRoot: string, pid: number): LivingThread | null {
  const tasks = `${procRoot}/${pid}/task`;
  const living = namesIn(tasks).flatMap((thread) => {
    const folder = `${tasks}/${thread}`;
    const state = thread === String(pid) ? '' : (statFields(`${folder}/stat`)?.[0] ?? '');
    return !/^[A-Za-z]$/.test(state) || ENDED.has(state) ? [] : [{ folder, state }];
  });
  const [first] = living;
  if (first === undefined) return null;
  const busiest = living.find(({ state }) => state === 'R' || state === 'D') ?? first;
  // The same one at every look, whichever is busy: what was read of it is compared.
  return { folder: first.folder, state: busiest.state };
}

const ENDED: ReadonlySet<string> = new Set(['Z', 'X', 'x']);
