import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { succeeds } from '../../core/try-or.ts';
import { type FileAttributes, setAccessList, setAttributes } from '../native/file-attributes.ts';
import { openPlain, withFile } from './own-file.ts';

interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Those of the file whose place it takes: it gets the same, or is not made. Null where nobody knows them. */
  readonly attributes?: FileAttributes | null;
}

/** Makes a file that was not there, whole and on the disk; or throws, and leaves nothing behind. */
export function writeNew(path: string, text: string | Buffer, owned: Ownership): void {
  const file = openPlain(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  try {
    writeFileSync(file, text);
    giveTo(file, owned.uid, owned.gid);
    giveRights(file, owned);
    // These are settings that cannot be made again: they must be on the disk before the old ones go.
    fsyncSync(file);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Nobody may read the new file who could not read the old one. */
function giveRights(file: number, { mode, gid, attributes }: Ownership): void {
  // In a file with an access list, the group's part of the mode is the most that anybody on the list may do, and not what
  // the group may do: the list has to be there first.
  if (attributes) setAccessList(file, attributes);
  // Where the list is not known, it is not known either what the parts for group and others stand for.
  const known = attributes === null ? mode & 0o7700 : mode;
  // The group's part was meant for another group than ours.
  fchmodSync(file, fstatSync(file).gid === gid ? known : known & 0o7707);
  const lost = attributes ? setAttributes(file, attributes) : [];
  if (lost.length > 0) throw new Error(`its access list or attributes cannot be kept: ${lost.join(', ')}`);
}

/**
 * Makes a folder that belongs to the owner of the one around it, also when root makes it. Nobody else may write to it,
 * whatever the umask is: agents run what lies there.
 */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o755 });
  const { uid, gid } = statSync(dirname(folder));
  if (uid === process.getuid?.()) return;
  const opened = openPlain(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  withFile(opened, () => giveTo(opened, uid, gid));
}

// Only root can, and only for root it matters; a group that one is in can be kept by anyone. Else it stays ours, as any
// editor would leave it.
function giveTo(file: number, uid: number, gid: number): void {
  if (succeeds(() => fchownSync(file, uid, gid))) return;
  succeeds(() => fchownSync(file, fstatSync(file).uid, gid));
}
