import { lstatSync } from 'node:fs';
import {
  type FolderObjection,
  makeFolderIfMissing,
  objectionToEntry,
  objectionToFolder,
} from '../files/own-folder.ts';

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

/** Why an archive cannot be written or read, with what to do about it. */
export class ArchiveError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** What a user can do about it. */
export function hintFor(error: unknown, root: string): string {
  if (error instanceof ArchiveError) return error.hint;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `make room on the disk of ${root}, then try again; nothing was closed`;
    case 'EROFS':
      return `${root} lies on a read-only disk; point XDG_STATE_HOME to another`;
    default:
      return `look at ${root}, or point XDG_STATE_HOME to a folder of your own`;
  }
}
