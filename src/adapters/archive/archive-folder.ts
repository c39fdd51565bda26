import { lstatSync } from 'node:fs';
import {
  type FolderObjection,
  makeFolderIfMissing,
  objectionToEntry,
  objectionToFolder,
} from '../files/own-folder.ts';
import { ArchiveError } from './archive-error.ts';

/** Makes the folder of all archives if it is missing, and closes it to others. Throws where it is not ours. */
export function openArchiveFolder(root: string): void {
  makeFolderIfMissing(root);
  refuse(root, objectionToFolder(root, { isTightened: true }));
}

/** Refuses a folder that somebody else put there. */
export function checkFolder(folder: string): void {
  refuse(folder, objectionToEntry(lstatSync(folder, { bigint: true }), undefined, 0n));
}

function refuse(folder: string, objection: FolderObjection | null): void {
  if (objection === null) return;
  if (objection.fault === 'mode') {
    throw new ArchiveError(`other users can reach ${folder}`, `run: chmod 700 ${folder}`);
  }
  const hint = `look at it, then move it away: mv ${folder} ${folder}.old`;
  throw new ArchiveError(objection.text.replace(/^it/, folder), hint);
}
