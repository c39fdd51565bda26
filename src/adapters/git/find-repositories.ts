import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { mountsIn } from '../../core/sight/mounts.ts';
import { textAt } from '../files/look.ts';
import { type BytePath, bytesOf, textOf, toBytePath } from './byte-path.ts';
import type { WorkTree } from './find-work-tree.ts';
import type { WorkTreeStatus } from './read-status.ts';
import { workTreesBelow } from './work-trees.ts';

/** How far to look. What lies beyond is not looked for, and the answer says so. */
export interface WalkBounds {
  readonly folders: number;
  readonly depth: number;
}

export interface Walk {
  /** Folders with a `.git` of their own. */
  readonly found: readonly string[];
  /** The same with names that are not UTF-8, for people to read: no program can be told of them. */
  readonly unnameable: readonly string[];
  readonly isCut: boolean;
}

// Packages from a registry come without their repositories, and in great numbers.
const SKIPPED = new Set(['.git', 'node_modules']);

const BOUNDS = { folders: 400, depth: 4 };
/** Nothing ties such a folder to what lies below it, and it may be a home or a `/tmp`. */
const PLAIN_BOUNDS = { folders: 200, depth: 2 };

/** What a git folder has in any case, and what in it holds no work tree. */
const MARKS = ['HEAD', 'objects', 'refs'];
const INNER = new Set([...MARKS, 'branches', 'hooks', 'info', 'lfs', 'logs', 'modules', 'worktrees']);

/** Looks where git itself does not look: into the folders of a work tree that are ignored or not tracked. */
export async function walkIn(root: string, { folders, isCut }: WorkTreeStatus): Promise<Walk> {
  const top = toBytePath(root);
  const starts = folders.filter((name) => !SKIPPED.has(basename(name))).map((name) => join(top, name));
  const walk = await findRepositories(root, starts, BOUNDS);
  return { ...walk, isCut: walk.isCut || isCut };
}

/** Looks into a folder that is in no repository. */
export function walkPlain(top: string): Promise<Walk> {
  return findRepositories(top, [toBytePath(top)], PLAIN_BOUNDS);
}

/** Looks into the folder of a bare repository as into a plain one, and at the work trees that the repository knows there. */
export async function walkBare({ root, commonDir }: WorkTree): Promise<Walk> {
  const top = toBytePath(root);
  const { dev } = await lstat(root);
  const starts = foldersIn(await entriesOf(top, dev)).map((name) => join(top, name));
  const { folders, depth } = PLAIN_BOUNDS;
  const walk = await findRepositories(root, starts, { folders, depth: depth - 1 });
  return { ...walk, found: [...new Set([...walk.found, ...(await workTreesBelow(commonDir, root))])] };
}

/**
 * Looks for repositories in folders, the nearest first. Goes neither through links, nor across a mount, nor into a
 * repository that it found: that one is looked at by itself.
 */
async function findRepositories(top: string, starts: readonly BytePath[], bounds: WalkBounds): Promise<Walk> {
  const found = new Set<BytePath>();
  const { dev } = await lstat(top);
  // Mounts are passed by: to ask such a folder itself may wait for ever. Without this table their device tells of them.
  const mounts = mountsIn(textAt('/proc/self/mountinfo', 'latin1') ?? '');
  const mounted: ReadonlySet<BytePath> = new Set(mounts.map(({ place }) => place));
  const isPassedBy = (folder: BytePath) =>
    mounted.has(folder.replace(/\/$/, '')) && folder !== toBytePath(top);
  let level = [...starts];
  let left = bounds.folders;
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: BytePath[] = [];
    for (const folder of level) {
      if (left === 0) return named(found, true);
      left -= 1;
      if (isPassedBy(folder)) continue;
      const entries = await entriesOf(folder, dev);
      if (entries.some(({ name }) => name === '.git')) {
        found.add(folder);
        continue;
      }
      const isGitFolder = MARKS.every((mark) => entries.some(({ name }) => name === mark));
      if (isGitFolder)
        for (const path of await workTreesBelow(textOf(folder).text, top)) found.add(toBytePath(path));
      const below = foldersIn(entries).filter((name) => !isGitFolder || !INNER.has(name));
      next.push(...below.map((name) => join(folder, name)));
    }
    if (depth >= bounds.depth) return named(found, next.length > 0);
    level = next;
  }
  return named(found, false);
}

function named(found: ReadonlySet<BytePath>, isCut: boolean): Walk {
  const names = [...found].map(textOf);
  const [exact, others] = [names.filter(({ isExact }) => isExact), names.filter(({ isExact }) => !isExact)];
  return { found: exact.map(({ text }) => text), unnameable: others.map(({ text }) => text), isCut };
}

interface Entry {
  readonly name: BytePath;
  readonly isFolder: boolean;
}

function foldersIn(entries: readonly Entry[]): BytePath[] {
  return entries.flatMap(({ name, isFolder }) => (isFolder && !SKIPPED.has(name) ? name : []));
}

/** Nothing where it is gone, not to be read, or on another device: nobody's work is seen there. */
async function entriesOf(folder: BytePath, device: number): Promise<Entry[]> {
  try {
    const path = bytesOf(folder);
    const entry = await lstat(path);
    if (!entry.isDirectory() || entry.dev !== device) return [];
    const entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' });
    return entries.map((one) => ({ name: one.name.toString('latin1'), isFolder: one.isDirectory() }));
  } catch {
    return [];
  }
}
