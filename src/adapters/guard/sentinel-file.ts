import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SentinelWrite } from '../../ports/guard.ts';
import { replaceFile, syncFolder, temporaryBeside } from '../files/replace-file.ts';

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
  try {
    replaceFile(path, text, { temporary: temporaryBeside(path), sync: 'file' });
  } catch (error) {
    return { state: 'failed', text: messageOf(error) };
  }
  try {
    syncFolder(dirname(path));
  } catch {
    // The sentinel is readable already; some file systems cannot sync a folder, and that takes nothing from it.
  }
  return { state: 'written' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
