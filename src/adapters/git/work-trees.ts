import { readdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readLink, type WorkTree } from './find-work-tree.ts';
import { exists, readSmallFile, unlessAbsent } from './small-file.ts';

/** A linked work tree, as the repository remembers it. */
export interface Linked {
  /** Its own part of the repository. */
  readonly gitDir: string;
  /** The `.git` in its folder. */
  readonly dotGit: string;
}

/** The other work trees of a repository in which somebody can work. */
export interface OtherWorkTrees {
  readonly count: number;
  /** Whether one of them has a branch checked out, of those that git calls checked out. */
  has(ref: string): boolean;
}

/** The linked work trees that a repository remembers, also those whose folder is gone. */
export async function linkedWorkTrees(commonDir: string): Promise<Linked[]> {
  const linked: Linked[] = [];
  const names = await unlessAbsent(readdir(join(commonDir, 'worktrees')), []);
  for (const name of names.sort()) {
    const gitDir = join(commonDir, 'worktrees', name);
    const text = await readSmallFile(join(gitDir, 'gitdir'), 8192);
    if (text !== null) linked.push({ gitDir, dotGit: resolve(gitDir, text.replace(/[\r\n]+$/, '')) });
  }
  return linked;
}

/** The folders of linked work trees that lie below a folder. */
export async function workTreesBelow(commonDir: string, top: string): Promise<string[]> {
  const folders: string[] = [];
  for (const { dotGit } of await linkedWorkTrees(commonDir)) {
    if (dotGit.startsWith(`${top}/`) && dirname(dotGit) !== top && (await exists(dotGit))) {
      folders.push(dirname(dotGit));
    }
  }
  return folders;
}

/**
 * Finds the other work trees in which somebody can work: linked ones whose folder exists and leads back, and the main
 * one unless the repository is bare. git also lists folders that are gone.
 */
export async function otherWorkTrees(
  { gitDir, commonDir, isLinkedWorktree }: WorkTree,
  isBare: boolean,
): Promise<OtherWorkTrees> {
  const alive: string[] = [];
  // A checkout has an index; a repository that was never checked out has none, whatever its config says.
  if (isLinkedWorktree && !isBare && (await exists(join(commonDir, 'index')))) alive.push(commonDir);
  for (const one of await linkedWorkTrees(commonDir)) {
    if (one.gitDir !== gitDir && (await leadsTo(one))) alive.push(one.gitDir);
  }
  const heads = await Promise.all(alive.map((folder) => readSmallFile(join(folder, 'HEAD'), 8192)));
  const named = new Set(heads.map((head) => /^ref: (refs\/.+)\n/.exec(head ?? '')?.[1]));
  // There, HEAD is no file, and only git can read it.
  const isTable = await exists(join(commonDir, 'reftable'));
  return { count: alive.length, has: (ref) => isTable || named.has(ref) };
}

/** Whether the `.git` of a folder names this part of the repository. */
async function leadsTo({ gitDir, dotGit }: Linked): Promise<boolean> {
  try {
    const named = await readLink(dirname(dotGit), dotGit);
    return named !== null && (await realpath(named)) === (await realpath(gitDir));
  } catch {
    // Of a folder that may not be read nobody knows that it has the branch.
    return false;
  }
}
