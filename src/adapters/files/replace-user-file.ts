import { renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { waitingName, waitingRooms } from './aside.ts';
import { ChangedMeanwhile, exchange, putNew } from './exchange.ts';
import { makeFolder, writeNew } from './new-user-file.ts';
import { removeQuietly } from './replace-file.ts';
import type { TakenFile, TakeOptions } from './taken-file.ts';
import { isSame, isUntouched, putBack } from './taken-file.ts';
import type { AbsentFile, UserFile } from './user-file.ts';
import { missingFolders, readUserFile } from './user-file.ts';
import { writerOf } from './writers.ts';

/**
 * Replaces a file that is not rollcall's own in one step, with the owner, mode and attributes that it had; behind a link its target
 * is replaced and the link stays. A new file belongs to the owner of its folder. The only way to do so in all of rollcall:
 * what was read is compared directly before the step, and what came out of it afterwards, so that nothing that somebody
 * wrote in between is lost. Answers the file that was taken out, for `settle`; null where there was none.
 *
 * Throws ChangedMeanwhile, or what the file system says, with nothing of its own left behind.
 */
export function takePlace(
  file: UserFile | AbsentFile,
  text: string,
  newMode: number,
  options: TakeOptions,
): TakenFile | null {
  const target = file.state === 'read' ? file.target : file.path;
  requireNoWriter(file, options);
  for (const missing of missingFolders(target)) makeFolder(missing);
  const { uid, gid } = file.state === 'read' ? file : statSync(dirname(target));
  const mode = file.state === 'read' ? file.mode : newMode;
  const kept = file.state === 'read' ? { attributes: file.attributes } : {};
  return inFirst(waitingRooms(target, options.folder), (room) => {
    const fresh = waitingName(file.path, text, room, options.folder);
    writeNew(fresh, text, { mode, uid, gid, ...kept });
    return putInPlace(file, fresh, target, options);
  });
}

function putInPlace(file: UserFile | AbsentFile, fresh: string, target: string, options: TakeOptions) {
  const instead = readUserFile(fresh);
  try {
    if (instead.state !== 'read') throw new Error(`${fresh} cannot be read again`);
    requireUnchanged(file);
    if (file.state === 'absent') putNew(fresh, target);
    else exchange(fresh, target);
  } catch (error) {
    removeQuietly(fresh);
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new ChangedMeanwhile() : error;
  }
  if (file.state === 'absent') {
    removeQuietly(fresh);
    return null;
  }
  const taken = { ...options, was: file, path: fresh, place: target, instead };
  return isUntouched(fresh, file, options.findWriter) ? taken : putBack(taken);
}

/** Takes a file that was read out of its place, unless somebody has written to it since; of a link, what it leads to stays. */
export function takeAway(file: UserFile, options: TakeOptions): TakenFile {
  const { folder, findWriter } = options;
  requireNoWriter(file, options);
  // A link that leads to a place beside it would lead nowhere from another folder.
  const rooms = file.isLink ? [dirname(file.path)] : waitingRooms(file.path, folder);
  return inFirst(rooms, (room) => {
    requireUnchanged(file);
    // Not under its own text: after a kill it must not be taken for a text of rollcall's.
    const path = waitingName(file.path, '', room, folder);
    renameSync(file.path, path);
    const taken = { ...options, was: file, path, place: file.path, instead: null };
    return isUntouched(path, file, findWriter, file.isLink) ? taken : putBack(taken);
  });
}

/** Replaces a file of which nothing has to be kept. */
export function replaceUserFile(file: UserFile | AbsentFile, text: string, newMode: number): void {
  const taken = takePlace(file, text, newMode, BESIDE);
  if (taken !== null) removeQuietly(taken.path);
}

/** Removes a file of which nothing has to be kept. */
export function removeUserFile(file: UserFile): void {
  removeQuietly(takeAway(file, BESIDE).path);
}

const BESIDE: TakeOptions = { folder: null, findWriter: writerOf };

// Two places may be on one disk and still not within one mount.
function inFirst<T>([room = '', ...others]: readonly string[], work: (room: string) => T): T {
  try {
    return work(room);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV' || others.length === 0) throw error;
    return inFirst(others, work);
  }
}

/** Whoever has it open may be in the middle of writing, and would go on in a file that is no longer in its place. */
function requireNoWriter(file: UserFile | AbsentFile, { findWriter }: TakeOptions): void {
  if (file.state === 'absent') return;
  const writer = findWriter(file, [basename(file.target)]);
  if (writer !== null) throw new ChangedMeanwhile({ writer });
}

function requireUnchanged(file: UserFile | AbsentFile): void {
  const now = readUserFile(file.path);
  const isUnchanged =
    file.state === 'absent'
      ? now.state === 'absent'
      : isSame(file, now, file.isLink) && now.state === 'read' && now.target === file.target;
  if (!isUnchanged) throw new ChangedMeanwhile();
}
