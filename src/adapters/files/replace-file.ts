import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { openPlain } from './own-file.ts';

export interface ReplaceTerms {
  /**
   * Where it is written first: `<path>.tmp` unless told. That one name is written anew by the next writer, so that nothing
   * piles up after a kill; of two writers at once the last wins, which their callers rule out or bear.
   */
  readonly temporary?: string;
  /** What has to be on the disk: nothing, the file before it gets its name, or its name too, which is so unless told. */
  readonly sync?: 'nothing' | 'file' | 'name';
  /** Called when only the rename is left; what it throws leaves what was there. */
  readonly before?: () => void;
}

/** Replaces a file as a whole, or throws and leaves what was there: nobody ever reads half of it. */
export function replaceFile(path: string, content: string | Buffer, terms: ReplaceTerms = {}): void {
  const { temporary = `${path}.tmp`, sync = 'name', before } = terms;
  writeAnew(temporary, content, sync !== 'nothing');
  try {
    before?.();
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (sync === 'name') syncName(dirname(path));
}

// A writer that was killed may have left it.
function writeAnew(path: string, content: string | Buffer, isDurable: boolean): void {
  try {
    writeNewFile(path, content, { isDurable });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    removeQuietly(path);
    writeNewFile(path, content, { isDurable });
  }
}

/** Makes a private file that was not there, on the disk unless told; or throws, and leaves nothing behind. */
export function writeNewFile(path: string, content: string | Buffer, { isDurable = true } = {}): void {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const file = openPlain(path, O_WRONLY | O_CREAT | O_EXCL);
  try {
    writeFileSync(file, content);
    if (isDurable) fsyncSync(file);
  } catch (error) {
    removeQuietly(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Adds to the end of a file, which is made where it is missing. Answers how large it is then. */
export function appendTo(path: string, content: string | Buffer): number {
  const file = openForAppending(path);
  try {
    writeFileSync(file, content);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

export function openForAppending(path: string): number {
  return openPlain(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
}

/** A name beside a file that no other writer has. */
export function temporaryBeside(path: string): string {
  return `${path}.${process.pid}.${process.hrtime.bigint().toString(16).padStart(12, '0').slice(-12)}.tmp`;
}

/** Has the names in a folder on the disk. */
export function syncFolder(path: string): void {
  onFolder(path, fsyncSync);
}

// Some file systems have nothing to do here and say so.
function syncName(path: string): void {
  onFolder(path, (folder) => {
    try {
      fsyncSync(folder);
    } catch {
      // The rename is done; only a power cut could undo it.
    }
  });
}

function onFolder(path: string, work: (folder: number) => void): void {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    work(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes a file of rollcall's own; false where it was not there, or nobody can. */
export function removeQuietly(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
