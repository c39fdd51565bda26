import { linkSync, lstatSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { swapFiles } from '../native/swap-files.ts';
import { makeFolder, writeNew } from './new-user-file.ts';
import type { AbsentFile, ReadFile, UserFile } from './user-file.ts';
import { missingFolders, readUserFile } from './user-file.ts';

/** Somebody else wrote to the file. What they wrote stands in its place; where that could not be, it is in `keptAs`. */
export class ChangedMeanwhile extends Error {
  readonly keptAs: string | null;

  constructor(keptAs: string | null = null) {
    const where = keptAs === null ? '' : `; what somebody wrote meanwhile is in ${keptAs}`;
    super(`it has changed since it was looked at${where}`);
    this.keptAs = keptAs;
  }
}

/**
 * Replaces a file that is not rollcall's own in one step, with the owner and mode that it had; behind a link its target
 * is replaced and the link stays. A new file belongs to the owner of its folder. The only way to do so in all of rollcall:
 * what was read is compared directly before the step, and what came out of it afterwards, so that nothing that somebody
 * wrote in between is lost. `backup` is a copy of the file as it was read.
 *
 * Throws ChangedMeanwhile, or what the file system says, with nothing of its own left behind.
 */
export function replaceUserFile(
  file: UserFile | AbsentFile,
  text: string,
  newMode: number,
  backup: string | null = null,
): void {
  const target = file.state === 'read' ? file.target : file.path;
  for (const folder of missingFolders(target)) makeFolder(folder);
  const { uid, gid } = file.state === 'read' ? file : statSync(dirname(target));
  const mode = file.state === 'read' ? file.mode : newMode;
  const fresh = besides(target);
  writeNew(fresh, text, { mode, uid, gid });
  try {
    requireUnchanged(file);
    if (file.state === 'absent') putNew(fresh, target);
    else exchange(fresh, target);
  } catch (error) {
    removeOwn(fresh);
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new ChangedMeanwhile() : error;
  }
  if (file.state === 'absent') removeOwn(fresh);
  else if (isSame(file, readUserFile(fresh), false)) letGo(fresh, backup);
  else putBack(fresh, target, text);
}

/** Removes a file that was read, unless somebody has written to it since; a link is removed, and what it leads to stays. */
export function removeUserFile(file: UserFile): void {
  requireUnchanged(file);
  const taken = besides(file.path);
  renameSync(file.path, taken);
  if (isSame(file, readUserFile(taken), file.isLink)) {
    removeOwn(taken);
    return;
  }
  try {
    putNew(taken, file.path);
  } catch {
    throw new ChangedMeanwhile(keep(taken));
  }
  removeOwn(taken);
  throw new ChangedMeanwhile();
}

// Unlike any other of this process; whoever makes it sees to the rest.
function besides(path: string): string {
  return `${path}.rollcall-${process.pid}-${process.hrtime.bigint().toString(16)}.tmp`;
}

function requireUnchanged(file: UserFile | AbsentFile): void {
  const now = readUserFile(file.path);
  const isUnchanged =
    file.state === 'absent'
      ? now.state === 'absent'
      : isSame(file, now, file.isLink) && now.state === 'read' && now.target === file.target;
  if (!isUnchanged) throw new ChangedMeanwhile();
}

function isSame(file: UserFile, now: ReadFile, isLink: boolean): boolean {
  if (now.state !== 'read' || now.isLink !== isLink) return false;
  return MARKS.every((mark) => now[mark] === file[mark]);
}

const MARKS = ['text', 'device', 'inode', 'mode', 'uid', 'gid'] as const;

// A link is made only where nothing is; a rename would replace what somebody has just put there.
function putNew(from: string, path: string): void {
  try {
    linkSync(from, path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new ChangedMeanwhile() : error;
  }
}

/** Afterwards the first name has what stood at the second. */
function exchange(fresh: string, target: string): void {
  if (swapFiles(fresh, target)) return;
  // Nearly as good: only a file that is renamed to the target between these two calls would be gone.
  const old = `${fresh}.old`;
  linkSync(target, old);
  try {
    renameSync(fresh, target);
  } catch (error) {
    removeOwn(old);
    throw error;
  }
  try {
    renameSync(old, fresh);
  } catch {
    throw new ChangedMeanwhile(old);
  }
}

/** Puts back what somebody wrote, and takes out what was written over it. */
function putBack(taken: string, target: string, own: string): never {
  try {
    exchange(taken, target);
  } catch {
    throw new ChangedMeanwhile(keep(taken));
  }
  const out = readUserFile(taken);
  // Not what was put there a moment ago: somebody wrote once more.
  if (out.state !== 'read' || out.isLink || out.text !== own) throw new ChangedMeanwhile(keep(taken));
  removeOwn(taken);
  throw new ChangedMeanwhile();
}

// Whoever opened the old file before and writes to it only now writes into the backup.
function letGo(taken: string, backup: string | null): void {
  try {
    if (backup !== null && lstatSync(taken).nlink === 1) {
      renameSync(taken, backup);
      return;
    }
  } catch {
    // Another file system: the copy is as good.
  }
  removeOwn(taken);
}

/** Under a name that nothing of rollcall's ever removes. */
function keep(taken: string): string {
  const kept = taken.replace(/\.rollcall-([^/]*)\.tmp$/, '.rollcall-kept-$1');
  try {
    renameSync(taken, kept);
    return kept;
  } catch {
    return taken;
  }
}

function removeOwn(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone already; or nobody can, and it lies beside the file.
  }
}
