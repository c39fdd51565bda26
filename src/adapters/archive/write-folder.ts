import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, syncFolder, writeNewFile } from '../files/replace-file.ts';

/** Throws where what lies at a path cannot be read as that file, or is not that text. */
export type ReadBack = (path: string, file: string, text: string) => void;

const UNDER_WAY = '.writing-';
const LEFTOVER_AFTER_MS = 60 * 60 * 1000;

/**
 * Writes a folder of files under another name, syncs it to the disk, reads it back, and then gives it its name. Throws
 * what the file system or the reader says, and leaves nothing behind.
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
    for (const [file, text] of files) writeNewFile(join(temporary, file), text);
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

/** Adds one file to a folder in the same way. The caller is the only writer there, and has seen that the name is free. */
export function writeInto(root: string, name: string, file: string, text: string, readBack: ReadBack): void {
  const path = join(root, name, file);
  const temporary = temporaryFor(root, `${name}-${file}`);
  replaceFile(path, text, {
    temporary,
    sync: 'file',
    before: () => readBack(temporary, file, text),
  });
  try {
    syncFolder(join(root, name));
  } catch (error) {
    rmSync(path, { force: true });
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
