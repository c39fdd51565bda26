import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConversationClues } from '../../../core/conversation/clues.ts';
import {
  type CopiedFile,
  type CopyIndex,
  indexText,
  MAX_INDEX_BYTES,
  parseIndex,
} from '../../../core/conversation/copy-index.ts';
import type { CopySighting, Leaving } from '../../../core/conversation/room.ts';
import { leavingFor } from '../../../core/conversation/room.ts';
import { visible } from '../../../core/visible.ts';
import type { Conversations, CopyKept, PutBack } from '../../../ports/conversations.ts';
import { ArchiveError, hintFor } from '../archive-error.ts';
import { openArchiveFolder } from '../archive-folder.ts';
import { digestOf, readBounded } from '../read-document.ts';
import { removeLeftovers, syncFolder, temporaryFor, writeDurably } from '../write-folder.ts';
import { copyFile } from './copy-file.ts';
import { putFileBack } from './put-back.ts';
import { noteRemoved, removedIn } from './removed.ts';

export interface ConversationsOptions {
  /** The folder of all copies; it need not be there. */
  readonly folder: string;
  /** What all copies may take together. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** False too where it gives no answer. */
  isFolder(path: string): boolean | Promise<boolean>;
  /** What has to be left on the disk; a test may ask for less. */
  readonly spareBytes?: number;
}

const INDEX = 'index.json';
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
const REMOVING = '.removing-';
/** The receipt comes after the copy, and needs room too. */
const SPARE_BYTES = 16 * 1024 * 1024;

/** Copies of conversations: one folder each, with an index and one compressed file for each file. */
export function createConversations(options: ConversationsOptions): Conversations {
  const { folder, maxBytes } = options;
  return {
    async keep(name, clues, files) {
      if (maxBytes === 0) return { state: 'not-kept', text: 'archive.keepConversations is 0' };
      try {
        checkName(name);
        openArchiveFolder(folder);
        removeLeftovers(folder);
        finishRemovals(folder);
        const whole = indexOf(folder, name);
        const { digest } = whole ?? (await write(options, name, clues, files));
        const leaving = await makeRoom(options, name);
        return { state: 'kept', digest, bytes: bytesIn(join(folder, name)), leaving };
      } catch (error) {
        return notKept(error, folder);
      }
    },
    putBack: (name, digest) => putBack(folder, name, digest),
    cluesOf: (name) => indexOf(folder, name)?.index.clues ?? null,
    list() {
      const names = namesIn(folder).filter((name) => indexOf(folder, name) !== null);
      const bytes = names.reduce((sum, name) => sum + bytesIn(join(folder, name)), 0);
      const gone = removedIn(folder).filter(({ name }) => !names.includes(name));
      return { bytes, count: names.length, removed: gone };
    },
  };
}

function notKept(error: unknown, folder: string): CopyKept {
  const hint = error instanceof ArchiveError ? error.hint : hintFor(error, folder).split(';')[0];
  return { state: 'not-kept', text: visible(`${(error as Error).message}; ${hint}`, 600) };
}

/** Under another name first, so that half a copy is never seen under its own. */
async function write(
  { folder, maxBytes, now, spareBytes = SPARE_BYTES }: ConversationsOptions,
  name: string,
  clues: ConversationClues,
  paths: readonly string[],
): Promise<{ readonly digest: string }> {
  const temporary = temporaryFor(folder, name);
  let made = temporary;
  try {
    mkdirSync(temporary, { mode: 0o700 });
    const files: CopiedFile[] = [];
    let left = maxBytes;
    for (const [at, path] of paths.entries()) {
      const copied = await copyFile(path, join(temporary, fileName(at)), left);
      files.push(copied.file);
      left -= copied.bytes;
    }
    const text = indexText({ clues, keptAt: now(), files }, randomBytes(16).toString('hex'));
    if (Buffer.byteLength(text) > MAX_INDEX_BYTES)
      throw new ArchiveError('it has too many files', 'look at them');
    writeDurably(join(temporary, INDEX), text);
    checkSpare(folder, spareBytes);
    syncFolder(temporary);
    renameSync(temporary, join(folder, name));
    made = join(folder, name);
    syncFolder(folder);
    return { digest: digestOf(text) };
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

function checkSpare(folder: string, spareBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= spareBytes) return;
  throw new ArchiveError(`the disk of ${folder} is nearly full`, 'make room there');
}

/** Removes what is over the bound. A mark says so before anything goes. */
async function makeRoom(options: ConversationsOptions, newest: string): Promise<readonly Leaving[]> {
  const { folder, maxBytes, now } = options;
  const names = namesIn(folder);
  if (names.reduce((sum, name) => sum + bytesIn(join(folder, name)), 0) <= maxBytes) return [];
  const copies = (await Promise.all(names.map((name) => sightingOf(options, name)))).flat();
  const leaving = leavingFor(copies, newest, maxBytes);
  for (const { copy } of leaving) {
    const kept = indexOf(folder, copy.name);
    if (kept !== null) noteRemoved(folder, { name: copy.name, removedAt: now(), index: kept.index });
    remove(folder, copy.name);
  }
  return leaving;
}

async function sightingOf(
  { folder, isFolder }: ConversationsOptions,
  name: string,
): Promise<readonly CopySighting[]> {
  const kept = indexOf(folder, name);
  const [first] = kept?.index.files ?? [];
  if (kept === null || first === undefined) return [];
  const { kind, conversation } = kept.index.clues;
  // A folder that gives no answer tells nothing: then the copy counts as the only one.
  const entry = (await isFolder(dirname(first.path))) && lstatSync(first.path, { throwIfNoEntry: false });
  const isOriginalThere =
    entry !== undefined && entry !== false && entry.isFile() && entry.size >= first.bytes;
  const bytes = bytesIn(join(folder, name));
  return [{ name, kind, conversation, keptAt: kept.index.keptAt, bytes, isOriginalThere }];
}

// By its name first, in one step: whoever reads has all of it or nothing.
function remove(folder: string, name: string): void {
  try {
    renameSync(join(folder, name), join(folder, `${REMOVING}${name}`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  finishRemovals(folder);
}

function finishRemovals(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(REMOVING)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

async function putBack(folder: string, name: string, digest: string): Promise<PutBack> {
  const kept = indexOf(folder, name);
  if (kept === null) {
    const removedAt = removedIn(folder).find((one) => one.name === name)?.removedAt ?? null;
    return { state: 'absent', removedAt };
  }
  if (kept.digest !== digest) {
    return { state: 'changed', text: `${join(folder, name)} is not as it was written` };
  }
  const paths: string[] = [];
  try {
    const [first, ...others] = kept.index.files.map((file, at) => ({ file, copy: fileName(at) }));
    for (const one of [...others, ...(first === undefined ? [] : [first])]) {
      if (await putFileBack(join(folder, name, one.copy), one.file)) paths.push(one.file.path);
    }
    return { state: 'done', paths };
  } catch (error) {
    return { state: 'failed', text: visible((error as Error).message, 600) };
  }
}

function indexOf(
  folder: string,
  name: string,
): { readonly index: CopyIndex; readonly digest: string } | null {
  try {
    const bytes = readBounded(join(folder, name, INDEX), MAX_INDEX_BYTES);
    const index = parseIndex(bytes.toString('utf8'));
    return NAME.test(name) && index !== null ? { index, digest: digestOf(bytes) } : null;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((one) => (one.isDirectory() && NAME.test(one.name) ? [one.name] : []));
  } catch {
    return [];
  }
}

function bytesIn(path: string): number {
  try {
    const names = readdirSync(path);
    return names.reduce((sum, name) => sum + lstatSync(join(path, name)).size, 0);
  } catch {
    return 0;
  }
}

function fileName(at: number): string {
  return `${at}.gz`;
}

function checkName(name: string): void {
  if (!NAME.test(name)) throw new ArchiveError(`not the name of a copy: "${name}"`, 'this is a defect');
}
