import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationClues } from '../../../core/conversation/clues.ts';
import { type CopiedFile, indexText, MAX_INDEX_BYTES } from '../../../core/conversation/copy-index.ts';
import { visible } from '../../../core/text/visible.ts';
import type { Conversations, CopiesSighting, CopyKept, PutBack } from '../../../ports/conversations.ts';
import { sha256 } from '../../files/digest.ts';
import { syncFolder, writeNewFile } from '../../files/replace-file.ts';
import { ArchiveError, hintFor, openArchiveFolder } from '../archive-folder.ts';
import { removeLeftovers, temporaryFor } from '../write-folder.ts';
import { copyFile } from './copy-file.ts';
import { fileName } from './elsewhere.ts';
import { putFileBack } from './put-back.ts';
import { bytesIn, INDEX, indexOf, NAME, namesIn } from './read-index.ts';
import { finishRemovals, makeRoom, type RoomOptions, removedIn } from './room.ts';

export interface ConversationsOptions extends RoomOptions {
  /** What has to be left on the disk; a test may ask for less. */
  readonly spareBytes?: number;
}

/** The receipt comes after the copy, and needs room too. */
const SPARE_BYTES = 16 * 1024 * 1024;

/** Copies of conversations: one folder each, with an index and one compressed file for each file. */
export function createConversations(options: ConversationsOptions): Conversations {
  const { folder, maxBytes } = options;
  return {
    async keep(name, clues, files) {
      if (maxBytes === 0) return { state: 'not-kept', text: 'archive.keepConversations is 0' };
      try {
        if (!NAME.test(name)) throw new ArchiveError(`not the name of a copy: "${name}"`, 'this is a defect');
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
    list: () => listed(folder),
  };
}

function listed(folder: string): CopiesSighting {
  const copies = namesIn(folder).flatMap((name) => {
    const index = indexOf(folder, name)?.index;
    return index === undefined ? [] : [{ ...index.clues, bytes: bytesIn(join(folder, name)) }];
  });
  const bytes = copies.reduce((sum, one) => sum + one.bytes, 0);
  // One of which another copy is kept is not gone.
  const isKept = ({ kind, conversation }: ConversationClues) =>
    copies.some((one) => one.kind === kind && one.conversation === conversation);
  return { bytes, count: copies.length, removed: removedIn(folder).filter(({ clues }) => !isKept(clues)) };
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
    writeNewFile(join(temporary, INDEX), text);
    checkSpare(folder, spareBytes);
    syncFolder(temporary);
    renameSync(temporary, join(folder, name));
    made = join(folder, name);
    syncFolder(folder);
    return { digest: sha256(text) };
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
    const text = visible((error as Error).message, 600);
    return { state: error instanceof ArchiveError ? 'changed' : 'failed', text };
  }
}
