import {
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { succeeds } from '../../core/try-or.ts';
import { isRunning } from '../programs/end-group.ts';
import { elapsedMs } from './elapsed.ts';
import { namesIn } from './look.ts';
import { openPlain, withFile } from './own-file.ts';

export interface ReplaceTerms {
  /** Where it is written first. By default beside the file, under a unique name; leftovers of killed writers go. */
  readonly temporary?: string;
  /** What has to be on the disk: nothing, the file before it gets its name, or its name too, which is so unless told. */
  readonly sync?: 'nothing' | 'file' | 'name';
  /** Called when only the rename is left; what it throws leaves what was there. */
  readonly before?: () => void;
}

/**
 * Replaces a file as a whole, or throws and leaves what was there: nobody ever reads half of it. Of two writers at once each
 * writes its own whole content, and the last one wins.
 */
export function replaceFile(path: string, content: string | Buffer, terms: ReplaceTerms = {}): void {
  const { temporary = freshTemporary(path), sync = 'name', before } = terms;
  writeNewFile(temporary, content, { isDurable: sync !== 'nothing' });
  try {
    before?.();
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (sync === 'name') syncName(dirname(path));
}

/** Makes a private file that was not there, on the disk unless told; or throws, and leaves nothing behind. */
export function writeNewFile(path: string, content: string | Buffer, { isDurable = true } = {}): void {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const made = openPlain(path, O_WRONLY | O_CREAT | O_EXCL);
  try {
    withFile(made, (file) => {
      writeFileSync(file, content);
      if (isDurable) fsyncSync(file);
    });
  } catch (error) {
    removeQuietly(path);
    throw error;
  }
}

/** Adds to the end of a file, which is made where it is missing. Answers how large it is then. */
export function appendTo(path: string, content: string | Buffer): number {
  return withFile(openForAppending(path), (file) => {
    writeFileSync(file, content);
    return fstatSync(file).size;
  });
}

export function openForAppending(path: string): number {
  return openPlain(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
}

/** A name beside a file that no other writer has. */
export function temporaryBeside(path: string): string {
  return `${path}.${process.pid}.${process.hrtime.bigint().toString(16).padStart(12, '0').slice(-12)}.tmp`;
}

function freshTemporary(path: string): string {
  removeLeftovers(path);
  return temporaryBeside(path);
}

const LEFTOVER_AFTER_MS = 60 * 60 * 1000;
/** What `temporaryBeside` adds to a name, with the pid of the writer. */
const TEMPORARY = /^(.+)\.(\d{1,10})\.[0-9a-f]{12}\.tmp$/;
/** What this process found in a folder, by the names of their files. Some folders have a file for each session, and all are written in one round. */
const leftovers = new Map<string, { readonly foundMs: number; readonly names: readonly RegExpExecArray[] }>();

/** Removes what killed writers left, once it is so old that neither a clock nor a pid of another container can mislead. */
function removeLeftovers(path: string): void {
  // 0.1.0 wrote under this name.
  removeIfOld(`${path}.tmp`);
  const [folder, own] = [dirname(path), basename(path)];
  for (const [name, file, pid] of leftoversIn(folder)) {
    // This process writes nothing else meanwhile, so its own pid is an earlier one's: in a container every command may have it.
    const isAtWork = () => Number(pid) !== process.pid && isRunning(Number(pid));
    if (file === own && !isAtWork()) removeIfOld(join(folder, name));
  }
}

function leftoversIn(folder: string): readonly RegExpExecArray[] {
  const known = leftovers.get(folder);
  if (known !== undefined && elapsedMs() - known.foundMs < LEFTOVER_AFTER_MS) return known.names;
  const names = namesIn(folder)
    .map((name) => TEMPORARY.exec(name))
    .filter((found) => found !== null);
  leftovers.set(folder, { foundMs: elapsedMs(), names });
  return names;
}

function removeIfOld(path: string): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isFile() && Date.now() - entry.mtimeMs > LEFTOVER_AFTER_MS) removeQuietly(path);
}

/** Waits until the names in a folder are on the disk. */
export function syncFolder(path: string): void {
  withFile(openFolder(path), fsyncSync);
}

// Some file systems have nothing to do here and say so. The rename is done; only a power cut could undo it.
function syncName(path: string): void {
  withFile(openFolder(path), (folder) => succeeds(() => fsyncSync(folder)));
}

function openFolder(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
}

/** Removes a file of rollcall's own; false where it was not there, or nobody can. */
export function removeQuietly(path: string): boolean {
  return succeeds(() => unlinkSync(path));
}
