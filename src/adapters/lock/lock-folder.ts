import { lstatSync, statfsSync } from 'node:fs';
import { makeFolderIfMissing, objectionToEntry } from '../files/own-folder.ts';
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
  makeFolderIfMissing(folder);
  checkLockFolder(folder);
  const remote = process.platform === 'linux' ? REMOTE.get(typeOf(folder) >>> 0) : undefined;
  if (remote !== undefined)
    throw new LockError(folder, `it lies on ${remote}, where locks do not hold`, ELSEWHERE);
}

/** Refuses a folder that somebody else put there, or can reach; one that is not there holds nothing. */
export function checkLockFolder(folder: string): void {
  const entry = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  const objection = entry && objectionToEntry(entry);
  if (!objection) return;
  const hint = objection.fault === 'mode' ? `run: chmod 700 ${folder}` : moveAway(folder);
  throw new LockError(folder, objection.text, hint);
}
