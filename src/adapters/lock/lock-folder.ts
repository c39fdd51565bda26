import { lstatSync, mkdirSync, type Stats, statfsSync } from 'node:fs';
import { ELSEWHERE, LockError, moveAway } from './lock-failure.ts';

/** File systems of other machines: locks there depend on that machine, or end at this one without saying so. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x0bd00bd0, 'Lustre'],
  [0x00c36400, 'Ceph'],
]);

/** The type number of the file system below a folder. */
export type FileSystemType = (folder: string) => number;

export const fileSystemType: FileSystemType = (folder) => statfsSync(folder).type;

/** Makes the folder of the lock files if it is missing. Throws where locks in it would mean nothing. */
export function openLockFolder(folder: string, typeOf: FileSystemType): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  checkLockFolder(lstatSync(folder), folder);
  const remote = process.platform === 'linux' ? REMOTE.get(typeOf(folder) >>> 0) : undefined;
  if (remote !== undefined)
    throw new LockError(folder, `it lies on ${remote}, where locks do not hold`, ELSEWHERE);
}

/** Refuses a folder that somebody else put there. */
export function checkLockFolder(entry: Stats, folder: string): void {
  if (entry.isSymbolicLink()) throw new LockError(folder, 'it is a symbolic link', moveAway(folder));
  if (!entry.isDirectory()) throw new LockError(folder, 'it is not a folder', moveAway(folder));
  const own = process.getuid?.() ?? entry.uid;
  if (entry.uid !== own) {
    throw new LockError(folder, `it belongs to user ${entry.uid}, not to ${own}`, moveAway(folder));
  }
  if ((entry.mode & 0o077) !== 0)
    throw new LockError(folder, 'other users can reach it', `run: chmod 700 ${folder}`);
}
