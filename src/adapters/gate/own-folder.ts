import { chmodSync, lstatSync, mkdirSync } from 'node:fs';

const OTHERS = 0o077;

/** Why a folder cannot be believed; null where it can, or where there is none. */
export function objectionTo(folder: string, uid: number): string | null {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined) return null;
  if (entry.isSymbolicLink()) return `${folder}: it is a symbolic link`;
  if (!entry.isDirectory()) return `${folder}: it is not a folder`;
  if (entry.uid !== uid) return `${folder}: it belongs to user ${entry.uid}, not to ${uid}`;
  return (entry.mode & OTHERS) === 0 ? null : `${folder}: other users can reach it`;
}

/** Makes a folder that only this user can reach, or throws why it cannot be had. */
export function makeOwnFolder(folder: string, uid: number): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const entry = lstatSync(folder);
    // Whoever made it meant it to be ours; only its mode is wrong.
    if (entry.isDirectory() && entry.uid === uid && (entry.mode & OTHERS) !== 0) chmodSync(folder, 0o700);
  }
  const objection = objectionTo(folder, uid);
  if (objection !== null) throw new Error(objection);
}
