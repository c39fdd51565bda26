import { type BigIntStats, constants, fchmodSync, fstatSync, lstatSync, mkdirSync } from 'node:fs';
import { succeeds, unless } from '../../core/try-or.ts';
import { openPlain, withFile } from './own-file.ts';

export type FolderFault = 'link' | 'kind' | 'owner' | 'mode';

export interface FolderObjection {
  readonly text: string;
  readonly fault: FolderFault;
}

export interface OwnFolderTerms {
  /** Whose it has to be; this process's user unless told. */
  readonly uid?: number | undefined;
  /** Closes an own folder that others can reach, where the file system lets it. */
  readonly isTightened?: boolean;
}

/** Makes a folder that only this user can reach, or throws `<folder>: <why it cannot be had>`. */
export function makeOwnFolder(folder: string, terms: OwnFolderTerms = {}): void {
  makeFolderIfMissing(folder);
  const objection = objectionToFolder(folder, terms);
  if (objection !== null) throw new Error(`${folder}: ${objection.text}`);
}

/** Makes one folder; one that is there stays as it is. */
export function makeFolderIfMissing(folder: string): void {
  unless('EEXIST', null, () => mkdirSync(folder, { mode: 0o700 }));
}

/**
 * Why a folder cannot be trusted: somebody else made it, owns it or can reach it. Null if it can. Throws what the file
 * system says, also where there is no folder.
 */
export function objectionToFolder(path: string, { uid, isTightened = false }: OwnFolderTerms = {}) {
  const found = objectionToEntry(lstatSync(path, { bigint: true }), uid);
  if (found !== null && found.fault !== 'mode') return found;
  // From here on through a descriptor: what the name stands for may change between two looks.
  return withFile(openPlain(path, constants.O_RDONLY | constants.O_DIRECTORY), (folder) => {
    const opened = objectionToEntry(fstatSync(folder, { bigint: true }), uid);
    if (opened?.fault !== 'mode' || !isTightened) return opened;
    // Some file systems refuse this and some only pretend, so the result is looked at.
    succeeds(() => fchmodSync(folder, 0o700));
    return objectionToEntry(fstatSync(folder, { bigint: true }), uid);
  });
}

/** The same in words, from one look and without opening it; null too where there is none. */
export function folderProblem(folder: string, uid: number): string | null {
  const entry = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  const objection = entry && objectionToEntry(entry, uid);
  return objection ? `${folder}: ${objection.text}` : null;
}

/** The same of a folder that was looked at, without opening it. `closedTo` are the rights that nobody else may have. */
export function objectionToEntry(
  entry: BigIntStats,
  uid: number | undefined = process.getuid?.(),
  closedTo = 0o077n,
): FolderObjection | null {
  if (entry.isSymbolicLink()) return { text: 'it is a symbolic link', fault: 'link' };
  if (!entry.isDirectory()) return { text: 'it is not a folder', fault: 'kind' };
  if (uid !== undefined && entry.uid !== BigInt(uid)) {
    return { text: `it belongs to user ${entry.uid}, not to ${uid}`, fault: 'owner' };
  }
  return (entry.mode & closedTo) === 0n ? null : { text: 'other users can reach it', fault: 'mode' };
}
