import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
} from 'node:fs';
import { ArchiveError } from './archive-error.ts';

/** Makes the folder of all archives if it is missing, and closes it to others. Throws where it is not ours. */
export function openArchiveFolder(root: string): void {
  try {
    mkdirSync(root, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  checkFolder(lstatSync(root), root);
  const folder = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (!isPrivate(fstatSync(folder))) fchmodSync(folder, 0o700);
    if (isPrivate(fstatSync(folder))) return;
    throw new ArchiveError(`other users can reach ${root}`, `run: chmod 700 ${root}`);
  } finally {
    closeSync(folder);
  }
}

/** Refuses a folder that somebody else put there. */
export function checkFolder(entry: Stats, folder: string): void {
  const hint = `look at it, then move it away: mv ${folder} ${folder}.old`;
  if (entry.isSymbolicLink()) throw new ArchiveError(`${folder} is a symbolic link`, hint);
  if (!entry.isDirectory()) throw new ArchiveError(`${folder} is not a folder`, hint);
  const own = process.getuid?.() ?? entry.uid;
  if (entry.uid !== own)
    throw new ArchiveError(`${folder} belongs to user ${entry.uid}, not to ${own}`, hint);
}

function isPrivate({ mode }: Stats): boolean {
  return (mode & 0o077) === 0;
}
