import { lstat, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WorkTree } from './find-work-tree.ts';
import type { RepositoryConfig } from './repository-config.ts';
import { isAbsence } from './small-file.ts';

/**
 * Why a repository cannot be looked at as the work tree of its folder; null where it can. A bare one named `.git` has no
 * files to lose; one that was checked out once may have been made bare by accident. One that keeps its files elsewhere
 * says nothing about this folder.
 */
export async function hindranceTo(
  { root, gitDir, isLinkedWorktree }: WorkTree,
  { isBare, workTree }: RepositoryConfig,
): Promise<{ readonly state: 'none' } | { readonly state: 'failed'; readonly text: string } | null> {
  // A linked work tree is one whatever the repository's config says.
  if (isLinkedWorktree) return null;
  if (isBare) {
    const isEmpty = await lstat(join(gitDir, 'index')).then(() => false, isAbsence);
    return isEmpty ? { state: 'none' } : failed(`${root} must be a work tree, and its config calls it bare`);
  }
  if (workTree === undefined) return null;
  const stated = resolve(gitDir, workTree);
  const real = await realpath(stated).catch(() => stated);
  return real === root ? null : failed(`the config of ${root} says that its files are in ${stated}`);
}

function failed(text: string) {
  return { state: 'failed', text } as const;
}
