import { createHash } from 'node:crypto';
import { createReadStream, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { CopiedFile, CopyIndex } from '../../../core/conversation/copy-index.ts';

export interface NamedCopy {
  readonly name: string;
  readonly index: CopyIndex;
}

export interface CopyPlaces {
  /** The folder of all copies. */
  readonly folder: string;
  /** False too where it gives no answer. */
  isFolder(path: string): boolean | Promise<boolean>;
}

/**
 * Whether every byte of a copy exists elsewhere: at the beginning of the agent's own files, which only grow, or of a
 * later copy. Compared by content: a file that was cut or overwritten since does not count.
 */
export async function isElsewhere(around: CopyPlaces, { name, index }: NamedCopy, all: readonly NamedCopy[]) {
  if (await isWithAgent(around, index.files)) return true;
  for (const one of all) {
    const isLater = one.name !== name && one.index.keptAt > index.keptAt;
    if (isLater && isSame(one.index, index) && (await isWithin(around, index.files, one))) return true;
  }
  return false;
}

function isSame({ clues: one }: CopyIndex, { clues: other }: CopyIndex): boolean {
  return one.kind === other.kind && one.conversation === other.conversation;
}

// A folder that gives no answer tells nothing: then the copy counts as the only one.
async function isWithAgent({ isFolder }: CopyPlaces, files: readonly CopiedFile[]): Promise<boolean> {
  for (const file of files) {
    if (!(await isFolder(dirname(file.path)))) return false;
    const entry = lstatSync(file.path, { throwIfNoEntry: false });
    if (!entry?.isFile() || entry.size < file.bytes) return false;
    if (!(await beginsWith(createReadStream(file.path), file))) return false;
  }
  return true;
}

async function isWithin({ folder }: CopyPlaces, files: readonly CopiedFile[], { name, index }: NamedCopy) {
  for (const file of files) {
    const at = index.files.findIndex(({ path, bytes }) => path === file.path && bytes >= file.bytes);
    if (at === -1) return false;
    // What goes wrong on the way ends the last of them, where it is noticed.
    const stream = pipeline(createReadStream(join(folder, name, fileName(at))), createGunzip(), () => {});
    if (!(await beginsWith(stream, file))) return false;
  }
  return true;
}

async function beginsWith(
  stream: AsyncIterable<Buffer> & { destroy(): unknown },
  { bytes, digest }: CopiedFile,
): Promise<boolean> {
  const hash = createHash('sha256');
  let left = bytes;
  try {
    for await (const chunk of stream) {
      hash.update(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
      if (left === 0) break;
    }
  } catch {
    return false;
  } finally {
    stream.destroy();
  }
  return left === 0 && hash.digest('hex') === digest;
}

/** The file of a copy that holds its nth file. */
export function fileName(at: number): string {
  return `${at}.gz`;
}
