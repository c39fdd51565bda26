import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CopyIndex, MAX_INDEX_BYTES, parseIndex } from '../../../core/conversation/copy-index.ts';
import type { RemovedCopy } from '../../../ports/conversations.ts';
import { recordsIn } from '../../files/look.ts';
import { readOwnText } from '../../files/own-file.ts';
import { replaceFile } from '../../files/replace-file.ts';

/** Hidden beside the copies: one small file for each copy that had to go. */
const FOLDER = '.removed';
const ANY = /^/;
/** More of them say nothing that matters: the oldest go. */
const MAX_NOTES = 500;

/** Says that a copy goes, and what it was of; on the disk when it returns. */
export function noteRemoved(
  folder: string,
  {
    name,
    removedAt,
    index,
  }: { readonly name: string; readonly removedAt: number; readonly index: CopyIndex },
): void {
  mkdirSync(join(folder, FOLDER), { recursive: true, mode: 0o700 });
  const [first] = index.files;
  const text = JSON.stringify({ version: 1, ...index.clues, keptAt: removedAt, files: [first] });
  replaceFile(join(folder, FOLDER, `${name}.json`), `${text}\n`);
  for (const old of removedIn(folder).slice(0, -MAX_NOTES)) {
    rmSync(join(folder, FOLDER, `${old.name}.json`), { force: true });
  }
}

/** The copies that had to go, the first first. */
export function removedIn(folder: string): readonly RemovedCopy[] {
  const found = recordsIn(join(folder, FOLDER), ANY).flatMap((name): RemovedCopy[] => {
    const index = indexAt(join(folder, FOLDER, `${name}.json`));
    const path = index?.files[0]?.path;
    return index === null || path === undefined
      ? []
      : [{ name, removedAt: index.keptAt, clues: index.clues, path }];
  });
  return found.sort((a, b) => a.removedAt - b.removedAt);
}

function indexAt(path: string): CopyIndex | null {
  try {
    return parseIndex(readOwnText(path, MAX_INDEX_BYTES) ?? '');
  } catch {
    return null;
  }
}
