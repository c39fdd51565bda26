import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Makes a file that was not there, whole and on the disk; or throws, and leaves nothing behind. */
export function writeNew(path: string, text: string | Buffer, { mode, uid, gid }: Ownership): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
    giveTo(file, uid, gid);
    fchmodSync(file, mode);
    // These are settings that cannot be made again: they must be on the disk before the old ones go.
    fsyncSync(file);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a folder that belongs to the owner of the one around it, also when root makes it. Nobody else may write to it,
 * whatever the umask is: agents run what lies there.
 */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o755 });
  const { uid, gid } = statSync(dirname(folder));
  if (uid === process.getuid?.()) return;
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    giveTo(opened, uid, gid);
  } finally {
    closeSync(opened);
  }
}

// Only root can, and only for root it matters; a group that one is in can be kept by anyone.
function giveTo(file: number, uid: number, gid: number): void {
  try {
    fchownSync(file, uid, gid);
  } catch {
    // It stays ours, as any editor would leave it.
  }
}
