import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Status } from './read-status.ts';

/** How far to look. What lies beyond is not looked for, and the answer says so. */
export interface WalkBounds {
  readonly folders: number;
  readonly depth: number;
}

export interface Walk {
  /** Folders with a `.git` of their own. */
  readonly found: readonly string[];
  readonly isCut: boolean;
}

// Packages from a registry come without their repositories, and in great numbers.
const SKIPPED = new Set(['.git', 'node_modules']);

const BOUNDS = { folders: 400, depth: 4 };

/** Looks where git itself does not look: into the folders of a work tree that are ignored or not tracked. */
export function walkIn(root: string, { folders, isCut }: Pick<Status, 'folders' | 'isCut'>): Promise<Walk> {
  const starts = folders.filter((name) => !SKIPPED.has(basename(name))).map((name) => join(root, name));
  return findRepositories(root, starts, BOUNDS).then((walk) => ({ ...walk, isCut: walk.isCut || isCut }));
}

/**
 * Looks for repositories in folders, the nearest first. Goes neither through links, nor across a mount, nor into a
 * repository that it found: that one is looked at by itself.
 */
export async function findRepositories(
  top: string,
  starts: readonly string[],
  bounds: WalkBounds,
): Promise<Walk> {
  const found: string[] = [];
  const { dev } = await lstat(top);
  let level = [...starts];
  let left = bounds.folders;
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if (left === 0) return { found, isCut: true };
      left -= 1;
      const entries = await entriesOf(folder, dev);
      if (entries.some(({ name }) => name === '.git')) {
        found.push(folder);
        continue;
      }
      const below = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
      next.push(...below.map(({ name }) => join(folder, name)));
    }
    if (depth >= bounds.depth) return { found, isCut: next.length > 0 };
    level = next;
  }
  return { found, isCut: false };
}

/** Nothing where it is gone, not to be read, or on another device: nobody's work is seen there. */
async function entriesOf(folder: string, device: number): Promise<Dirent[]> {
  try {
    const entry = await lstat(folder);
    if (!entry.isDirectory() || entry.dev !== device) return [];
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
