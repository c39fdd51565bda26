import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * Where the hour's closes are counted: in the state folder, whatever the environment is, and in the user's runtime folder
 * too, where there is one, because supervisors with several state folders still share one machine. A runtime folder that
 * somebody else owns or can write to is none: it neither counts nor stops anything.
 */
export function budgetFolders(stateFolder: string, env: NodeJS.ProcessEnv, uid: number): readonly string[] {
  const { XDG_RUNTIME_DIR: runtime = '' } = env;
  return isAbsolute(runtime) && isPrivate(runtime, uid)
    ? [stateFolder, join(runtime, 'rollcall')]
    : [stateFolder];
}

function isPrivate(path: string, uid: number): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  return entry?.isDirectory() === true && entry.uid === uid && (entry.mode & 0o077) === 0;
}

/** Makes the folder where it is missing; throws where it is not this user's alone. */
export function openBudgetFolder(path: string, uid: number): void {
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
