import { join } from 'node:path';
import { changeOf, entryAt, readSmallFile } from './small-file.ts';

const MAX_STEPS = 5;

/**
 * When a ref was last moved, at the latest, by the times of files: dates in commits and logs can be set at will. Packing
 * takes its own file away; then the common file and the ref's log are each at least as new as the ref. Throws where it cannot
 * be told.
 */
export async function refChangedAt(commonDir: string, ref: string, steps = MAX_STEPS): Promise<number> {
  // The name has bytes that are not UTF-8, and they are lost.
  if (steps === 0 || ref.includes('\uFFFD')) throw new Error(`${ref} cannot be followed`);
  const path = join(commonDir, ref);
  // git leaves empty folders where branches with longer names were.
  const isFolder = (await entryAt(path))?.isDirectory() ?? false;
  const value = isFolder ? null : await readSmallFile(path, 8192);
  if (value === null) return await packedAt(commonDir, ref);
  const target = refIn(value);
  // A ref that names another one is not written when that one moves.
  const moved = target === null ? 0 : await refChangedAt(commonDir, target, steps - 1);
  return Math.max(moved, await changeOf(path));
}

/** The ref that the text of another one names; null where it holds a commit. */
export function refIn(text: string): string | null {
  if (/^[0-9a-f]{40,64}\s*$/.test(text)) return null;
  const ref = /^ref:\s*(refs\/.+?)\s*$/.exec(text)?.[1];
  if (ref === undefined) throw new Error('a ref is not understood');
  return ref;
}

/** When refs that are kept in tables were last written, whichever of them; 0 where none are. */
export async function tablesChangedAt(folders: readonly string[]): Promise<number> {
  const times = folders.map((folder) => changeOf(join(folder, 'reftable/tables.list')));
  return Math.max(...(await Promise.all(times)));
}

async function packedAt(commonDir: string, ref: string): Promise<number> {
  const tables = await tablesChangedAt([commonDir]);
  const packed = await changeOf(join(commonDir, 'packed-refs'));
  if (tables === 0 && packed === 0) throw new Error(`${ref} is in no file`);
  const logged = await changeOf(join(commonDir, 'logs', ref));
  return Math.max(tables, logged === 0 ? packed : Math.min(packed, logged));
}
