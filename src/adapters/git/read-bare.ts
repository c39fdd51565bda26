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
  const place = {
    ...{ path: visible(relative(root, gitDir), 400), isSubmodule: false },
    changedAt: await changedAt(workTree, null, now),
  };
  const read = await withSeal(workTree, config, async (seal) =>
    remotes.length === 0
      ? ({ state: 'read', branches: [] } as const)
      : await readBranches(() => openGit(access, root, seal), workTree, {
          ...{ head: undefined, remotes, isBare: true, now },
        }),
  );
  if (read.state === 'failed') return [{ ...place, state: 'failed', text: read.text }];
  const facts = {
    ...{ dirtyFiles: 0, unpushedCommits: 0, hasRemote: remotes.length > 0, isMerged: false },
    stashes: await countStashes(workTree),
    ...(read.branches.length > 0 && { branches: read.branches }),
  };
  return holdsUnsaved(facts) ? [{ ...place, ...facts, state: 'repository' }] : [];
}
