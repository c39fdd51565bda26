import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CopyIndex, MAX_INDEX_BYTES, parseIndex } from '../../../core/conversation/copy-index.ts';
import { type CopySighting, type Leaving, leavingFor } from '../../../core/conversation/room.ts';
import { tryOr, unless } from '../../../core/try-or.ts';
import type { RemovedCopy } from '../../../ports/conversations.ts';
import { recordsIn } from '../../files/look.ts';
import { readOwnText } from '../../files/own-file.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { type CopyPlaces, isElsewhere } from './elsewhere.ts';
import { bytesIn, indexOf, namesIn } from './read-index.ts';

export interface RoomOptions extends CopyPlaces {
  /** What all copies may take together. */
  readonly maxBytes: number;
  readonly now: () => number;
}

const REMOVING = '.removing-';

/** Removes what is over the bound. A mark says so before anything goes. */
export async function makeRoom(options: RoomOptions, newest: string): Promise<readonly Leaving[]> {
  const { folder, maxBytes, now } = options;
  const names = namesIn(folder);
  if (names.reduce((sum, name) => sum + bytesIn(join(folder, name)), 0) <= maxBytes) return [];
  const all = names.flatMap((name) => {
    const kept = indexOf(folder, name);
    return kept === null ? [] : [{ name, index: kept.index }];
  });
  const copies: CopySighting[] = [];
  for (const one of all) {
    const { keptAt, clues } = one.index;
    const bytes = bytesIn(join(folder, one.name));
    const isSpare = one.name !== newest && (await isElsewhere(options, one, all));
    copies.push({ name: one.name, kind: clues.kind, keptAt, bytes, isElsewhere: isSpare });
  }
  const leaving = leavingFor(copies, newest, maxBytes);
  for (const { copy } of leaving) {
    const kept = indexOf(folder, copy.name);
    if (kept !== null) noteRemoved(folder, copy.name, kept.index, now());
    remove(folder, copy.name);
  }
  return leaving;
}

// By its name first, in one step: whoever reads has all of it or nothing.
function remove(folder: string, name: string): void {
  unless('ENOENT', null, () => renameSync(join(folder, name), join(folder, `${REMOVING}${name}`)));
  finishRemovals(folder);
}

/** Ends what a removal that was killed began. */
export function finishRemovals(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(REMOVING)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Hidden beside the copies: one small file for each copy that had to go. */
const FOLDER = '.removed';
const ANY = /^/;
/** More of them say nothing that matters: the oldest go. */
const MAX_NOTES = 500;

/** Says that a copy goes, and what it was of; on the disk when it returns. */
function noteRemoved(folder: string, name: string, index: CopyIndex, removedAt: number): void {
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
    const file = join(folder, FOLDER, `${name}.json`);
    const index = tryOr(null, () => parseIndex(readOwnText(file, MAX_INDEX_BYTES) ?? ''));
    const path = index?.files[0]?.path;
    return index === null || path === undefined
      ? []
      : [{ name, removedAt: index.keptAt, clues: index.clues, path }];
  });
  return found.sort((a, b) => a.removedAt - b.removedAt);
}
