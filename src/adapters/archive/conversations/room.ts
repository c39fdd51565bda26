import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CopySighting, type Leaving, leavingFor } from '../../../core/conversation/room.ts';
import { isElsewhere } from './elsewhere.ts';
import { bytesIn, indexOf, namesIn } from './read-index.ts';
import { noteRemoved } from './removed.ts';

export interface RoomOptions {
  /** The folder of all copies. */
  readonly folder: string;
  /** What all copies may take together. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** False too where it gives no answer. */
  isFolder(path: string): boolean | Promise<boolean>;
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
    if (kept !== null) noteRemoved(folder, { name: copy.name, removedAt: now(), index: kept.index });
    remove(folder, copy.name);
  }
  return leaving;
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

/** Ends what a removal that was killed began. */
export function finishRemovals(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(REMOVING)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
