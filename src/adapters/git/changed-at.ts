import { dirname, join } from 'node:path';
import { findWorkTree, type WorkTree } from './find-work-tree.ts';
import type { WorkTreeStatus } from './read-status.ts';
import { changeOf, ctimeOf, entryAt, justNow, readSmallFile } from './small-file.ts';

/** What of a status tells which files to look at. */
export type Changes = Pick<WorkTreeStatus, 'dirty' | 'hasStaged' | 'isCut'>;

const MAX_PATHS = 2000;
const MAX_PLACES = 4 * MAX_PATHS;

/**
 * When something was last done in a repository: HEAD or its branch moved, a stash was made, or an uncommitted file
 * changed. If that is unknown: just now. Without `changes` only HEAD and stashes count.
 */
export async function changedAt(workTree: WorkTree, changes: Changes | null, now: number): Promise<number> {
  try {
    const times = [headChangedAt(workTree), ...(changes === null ? [] : [filesChangedAt(workTree, changes)])];
    return Math.max(...(await Promise.all(times)));
  } catch {
    return justNow(now);
  }
}

/** Throws where it cannot be told. */
async function headChangedAt({ gitDir, commonDir }: WorkTree): Promise<number> {
  const path = join(gitDir, 'HEAD');
  const head = await entryAt(path);
  // git follows a link, whose own times do not tell what became of the ref behind it.
  if (!head?.isFile()) throw new Error(`${path} is not a regular file`);
  const tables = await tablesChangedAt([gitDir, commonDir]);
  const logged = await changeOf(join(gitDir, 'logs/HEAD'));
  if (logged === 0 && tables === 0) throw new Error(`${path} has no log`);
  const ref = refIn((await readSmallFile(path, 8192)) ?? '');
  const moved = ref === null ? 0 : await refChangedAt(commonDir, ref);
  const stashed = await changeOf(join(commonDir, 'logs/refs/stash'));
  return Math.max(ctimeOf(head), tables, logged, moved, stashed);
}

/** The index counts only where it holds what is not committed: `git status` writes it too. Throws where it cannot be told. */
async function filesChangedAt({ root, gitDir }: WorkTree, changes: Changes): Promise<number> {
  const { dirty, hasStaged, isCut } = changes;
  if (isCut || dirty.length > MAX_PATHS) throw new Error(`too much in ${root} is not committed`);
  const paths = dirty.map((path) => placeOf(root, path));
  const folders = new Set(paths.flatMap((path) => foldersAbove(root, path)));
  if (folders.size > MAX_PLACES) throw new Error(`too many folders of ${root} are not committed`);
  const times = await Promise.all([
    ...paths.map(pathChangedAt),
    ...[...folders].map(changeOf),
    ...(hasStaged ? [changeOf(join(gitDir, 'index'))] : []),
  ]);
  return Math.max(0, ...times);
}

function placeOf(root: string, path: string): string {
  // The name has bytes that are not UTF-8, and they are lost.
  if (path === '' || path.includes('\uFFFD')) throw new Error(`a path in ${root} cannot be reached`);
  return join(root, path).replace(/\/$/, '');
}

/** A file that is gone, or was moved to where it is with its folder, leaves its trace in the folders above it. */
function foldersAbove(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === root) break;
  }
  return folders;
}

/** git names a folder only where it is a repository of its own: there, HEAD tells. */
async function pathChangedAt(path: string): Promise<number> {
  const entry = await entryAt(path);
  if (!entry?.isDirectory()) return ctimeOf(entry);
  const found = await findWorkTree(path);
  if (found.state !== 'found' || found.workTree.root !== path) throw new Error(`${path} is no repository`);
  return Math.max(ctimeOf(entry), await headChangedAt(found.workTree));
}

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
