import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Where all rollcalls of a user on this host meet, whatever state folder each of them has. */
export function sharedFolderOf(env: NodeJS.ProcessEnv, uid: number): string {
  const { XDG_RUNTIME_DIR: runtime = '' } = env;
  return isAbsolute(runtime) ? join(runtime, 'rollcall') : `/tmp/rollcall-${uid}`;
}

/** Makes the folder where it is missing; throws where it is not this user's alone. */
export function openSharedFolder(path: string, uid: number): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (lstatSync(path).isSymbolicLink()) throw new Error(`${path}: it is a symbolic link`);
  // Through a descriptor: what the name stands for may change between two looks.
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const entry = fstatSync(folder);
    if (entry.uid !== uid) throw new Error(`${path}: it belongs to user ${entry.uid}, not to ${uid}`);
    if ((entry.mode & 0o077) !== 0) throw new Error(`${path}: other users can reach it (chmod 700 ${path})`);
  } finally {
    closeSync(folder);
  }
}
