import { relative } from 'node:path';
import type { BelowSighting } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { holdsUnsaved } from '../../core/verdict/work-lacks.ts';
import { changedAt } from './changed-at.ts';
import type { WorkTree } from './find-work-tree.ts';
import { type GitAccess, openGit } from './open-git.ts';
import { readBranches } from './read-branches.ts';
import { countStashes } from './read-own.ts';
import type { RepositoryConfig } from './repository-config.ts';
import { withSeal } from './seal.ts';

/** What a bare repository holds that no remote has: its branches outlive the work trees in which they were made. */
export async function readBare(
  access: GitAccess,
  workTree: WorkTree,
  config: RepositoryConfig,
  now: number,
): Promise<BelowSighting[]> {
  const { root, gitDir } = workTree;
  const { remotes } = config;
  const path = visible(relative(root, gitDir), 400);
  const place = { path, isSubmodule: false, changedAt: await changedAt(workTree, null, now) };
  const standing = { head: undefined, remotes, isBare: true, now };
  const read = await withSeal(workTree, config, async (seal) =>
    remotes.length === 0
      ? ({ state: 'read', branches: [] } as const)
      : await readBranches(() => openGit(access, root, seal), workTree, standing),
  );
  if (read.state === 'failed') return [{ ...place, state: 'failed', text: read.text }];
  const own = { hasRemote: remotes.length > 0, stashes: await countStashes(workTree) };
  const branches = read.branches.length > 0 ? { branches: read.branches } : {};
  const facts = { dirtyFiles: 0, unpushedCommits: 0, isMerged: false, ...own, ...branches };
  return holdsUnsaved(facts) ? [{ ...place, ...facts, state: 'repository' }] : [];
}
