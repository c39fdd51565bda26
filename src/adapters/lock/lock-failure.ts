import { lstatSync, statfsSync } from 'node:fs';
import { visible } from '../../core/text/visible.ts';
import type { LockFailed } from '../../ports/lock.ts';
import { makeFolderIfMissing, objectionToEntry } from '../files/own-folder.ts';

/** Thrown inside this adapter, and given to callers as a value. */
export class LockError extends Error {
  readonly path: string;
  readonly hint: string;

  constructor(path: string, text: string, hint: string) {
    super(text);
    this.path = path;
    this.hint = hint;
  }
}

const NO_LOCKS = new Set(['ENOLCK', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL']);

/** What to do where locks do not hold. */
const ELSEWHERE = 'point XDG_STATE_HOME to a folder of your own on a local disk';

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on that disk, then try again',
  EDQUOT: 'make room on that disk, then try again',
  EROFS: 'that disk is read-only: make it writable, or point XDG_STATE_HOME to a folder on another',
};

/** Puts whatever went wrong into words. */
export function toFailed(folder: string, error: unknown): LockFailed {
  const { code, message, path = folder } = error as NodeJS.ErrnoException;
  const [first = ''] = message.split('\n', 1);
  if (error instanceof LockError) return failed(`${path}: ${first}`, error.hint);
  if (NO_LOCKS.has(code ?? '')) return failed(`${path}: its file system has no locks (${code})`, ELSEWHERE);
  if (code === 'ELOOP') return failed(`${path}: it is a symbolic link`, moveAway(path));
  // Node's own words name the path once more.
  const text = `${path}: ${first.replace(/, \w+(?: '.*')?$/, '')}`;
  const hint = HINTS[code ?? ''] ?? `see whether ${path} can be written, and whether the disk is full`;
  return failed(text, hint);
}

/** What to do about a file or folder that somebody else put there. */
export function moveAway(path: string): string {
  return `look at it, then move it away: mv ${path} ${path}.old`;
}

function failed(text: string, hint: string): LockFailed {
  return { state: 'failed', text: visible(text, 600), hint: visible(hint, 600) };
}

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
