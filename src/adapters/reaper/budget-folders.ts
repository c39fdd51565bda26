import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { makeFolderIfMissing, objectionToEntry, objectionToFolder } from '../files/own-folder.ts';

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
  const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return entry !== undefined && objectionToEntry(entry, uid) === null;
}

/** Makes the folder where it is missing; throws where it is not this user's alone. */
export function openBudgetFolder(path: string, uid: number): void {
  makeFolderIfMissing(path);
  const objection = objectionToFolder(path, { uid });
  if (objection === null) return;
  const hint = objection.fault === 'mode' ? ` (chmod 700 ${path})` : '';
  throw new Error(`${path}: ${objection.text}${hint}`);
}
