import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Throws where what lies at a path cannot be read as that file, or is not that text. */
export type ReadBack = (path: string, file: string, text: string) => void;

const UNDER_WAY = '.writing-';
const LEFTOVER_AFTER_MS = 60 * 60 * 1000;

/**
 * Writes a folder of files under another name, has all of it on the disk, has it read back, and then gives it its name.
 * Throws what the file system or whoever reads it back says, with nothing left behind.
 */
export function writeFolder(
  root: string,
  name: string,
  files: ReadonlyMap<string, string>,
  readBack: ReadBack,
): void {
  const path = join(root, name);
  const temporary = temporaryFor(root, name);
  let made = temporary;
  try {
    mkdirSync(temporary, { mode: 0o700 });
    for (const [file, text] of files) writeDurably(join(temporary, file), text);
    for (const [file, text] of files) readBack(join(temporary, file), file, text);
    syncFolder(temporary);
    renameSync(temporary, path);
    made = path;
    syncFolder(root);
  } catch (error) {
    // Until the folder above is on the disk too, it could be gone after a power cut: then it is not written.
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Writes one more file into a folder that is there, in the same way. Whoever calls it is the only one who writes there, and
 * has seen that the name is free.
 */
export function writeInto(root: string, name: string, file: string, text: string, readBack: ReadBack): void {
  const folder = join(root, name);
  const path = join(folder, file);
  const temporary = temporaryFor(root, `${name}-${file}`);
  let made = temporary;
  try {
    writeDurably(temporary, text);
    readBack(temporary, file, text);
    renameSync(temporary, path);
    made = path;
    syncFolder(folder);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

/** A name for what is under way, that no other writer has. */
export function temporaryFor(root: string, name: string): string {
  return join(root, `${UNDER_WAY}${process.pid}-${process.hrtime.bigint().toString(36)}-${name}`);
}

/** Removes what writers that were killed left, once it is so old that none of them can be at work. */
export function removeLeftovers(root: string): void {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(UNDER_WAY)) continue;
    const entry = lstatSync(join(root, name), { throwIfNoEntry: false });
    if (entry === undefined || !(entry.isDirectory() || entry.isFile())) continue;
    if (Date.now() - entry.mtimeMs > LEFTOVER_AFTER_MS) {
      rmSync(join(root, name), { recursive: true, force: true });
    }
  }
}

/** Writes a new private file, and has it on the disk. */
export function writeDurably(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Has the names in a folder on the disk. */
export function syncFolder(path: string): void {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
