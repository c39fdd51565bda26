import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { SentinelWrite } from '../../ports/guard.ts';

/** Why a sentinel could not be written to this path; null when nothing speaks against it. Writes nothing. */
export function sentinelProblem(path: string): string | null {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return sentinelObstacle(path);
  } catch (error) {
    return messageOf(error);
  }
}

/** What stands there, itself or behind a link, that is no file and must not be replaced by one; null where nothing does. */
export function sentinelObstacle(path: string): string | null {
  const found = kindAt(path);
  return found === null ? null : `${path} is ${found}, and only a file is replaced`;
}

function kindAt(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) return null;
    if (stat.isDirectory()) return 'a folder';
    if (stat.isFIFO()) return 'a FIFO';
    return stat.isSocket() ? 'a socket' : 'a device';
  } catch {
    // Whoever writes there is told why that cannot be done.
    return null;
  }
}

/** Writes beside the file, waits for the disk and renames: whoever finds the sentinel finds all of it. */
export function writeSentinel(path: string, text: string): SentinelWrite {
  const obstacle = sentinelObstacle(path);
  if (obstacle !== null) return { state: 'failed', text: obstacle };
  const temporary = `${path}.${process.pid}.${process.hrtime.bigint().toString(16)}.tmp`;
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    return { state: 'failed', text: messageOf(error) };
  }
  settle(dirname(path));
  return { state: 'written' };
}

// The sentinel is readable already; some file systems cannot sync a folder, and that takes nothing from it.
function settle(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {}
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
