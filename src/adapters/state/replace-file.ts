import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const LEFTOVER_AFTER_MS = 60 * 60 * 1000;

/**
 * Writes beside the file and renames, so that nobody ever reads half of it. Without fsync, which costs milliseconds on
 * every command: after a power cut the file may be old or empty, an empty one is found damaged, and all that is lost is
 * memory that is safe to lose. Throws what the file system says, with nothing left behind.
 */
export function replaceFile(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  const temporary = `${path}.${process.pid}.${mark()}.tmp`;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw error;
  }
}

// Unlike any other of this process; O_EXCL sees to the rest.
function mark(): string {
  return process.hrtime.bigint().toString(16).padStart(12, '0').slice(-12);
}

/** Removes what writers that died left, once it is so old that no clock or pid of another container can mislead. */
export function removeLeftovers(folder: string, name: string): void {
  for (const entry of readdirSync(folder)) {
    const pid = writerOf(entry, name);
    if (pid === null || isAlive(pid)) continue;
    const found = lstatSync(join(folder, entry), { throwIfNoEntry: false });
    if (found?.isFile() && Date.now() - found.mtimeMs > LEFTOVER_AFTER_MS) remove(join(folder, entry));
  }
}

function writerOf(entry: string, name: string): number | null {
  if (!entry.startsWith(`${name}.`)) return null;
  const match = /^(\d{1,10})\.[0-9a-f]{12}\.tmp$/.exec(entry.slice(name.length + 1));
  return match === null ? null : Number(match[1]);
}

/** Ours is never under way here, since a save runs to its end: in a container every command may have the same pid. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else did, or nobody can.
  }
}
