import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AbsentFile, UserFile } from './user-file.ts';
import { missingFolders } from './user-file.ts';

const KEPT_BACKUPS = 3;

/**
 * Replaces a file in one step, with the owner and mode that it had; behind a link its target is replaced and the link
 * stays. A new file belongs to the owner of its folder, also when root makes it. Throws what the file system says, with
 * nothing left behind.
 */
export function writeUserFile(file: UserFile | AbsentFile, text: string, newMode: number): void {
  const target = file.state === 'read' ? file.target : file.path;
  for (const folder of missingFolders(target)) makeFolder(folder);
  const { uid, gid } = file.state === 'read' ? file : statSync(dirname(target));
  const mode = file.state === 'read' ? file.mode : newMode;
  // Unlike any other of this process; O_EXCL sees to the rest.
  const temporary = `${target}.rollcall-${process.pid}-${process.hrtime.bigint().toString(16)}.tmp`;
  writeNew(temporary, text, { mode, uid, gid });
  try {
    renameSync(temporary, target);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/** Keeps a copy beside the file, under the name that its user knows, and only the last few of them. */
export function backUp(file: UserFile, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const prefix = `${basename(file.path)}.rollcall-backup-`;
  const folder = dirname(file.path);
  const taken = readdirSync(folder).filter((name) => name.startsWith(prefix));
  let name = prefix + stamp;
  for (let count = 2; taken.includes(name); count += 1) name = `${prefix}${stamp}-${count}`;
  writeNew(join(folder, name), file.text, file);
  const old = taken.toSorted().slice(0, Math.max(0, taken.length + 1 - KEPT_BACKUPS));
  for (const each of old) unlinkSync(join(folder, each));
  return join(folder, name);
}

/** Removes folders that are empty, the innermost first; what is not empty stays. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // In use, or gone already.
    }
  }
}

interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

function writeNew(path: string, text: string, { mode, uid, gid }: Ownership): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
    giveTo(file, uid, gid);
    fchmodSync(file, mode);
    // These are settings that cannot be made again: they must be on the disk before the old ones go.
    fsyncSync(file);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

// Only root can, and only for root it matters; a group that one is in can be kept by anyone.
function giveTo(file: number, uid: number, gid: number): void {
  try {
    fchownSync(file, uid, gid);
  } catch {
    // It stays ours, as any editor would leave it.
  }
}

function makeFolder(folder: string): void {
  mkdirSync(folder);
  const { uid, gid } = statSync(dirname(folder));
  if (uid === process.getuid?.()) return;
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    giveTo(opened, uid, gid);
  } finally {
    closeSync(opened);
  }
}
