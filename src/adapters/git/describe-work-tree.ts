import { join, relative } from 'node:path';
import type { BelowFacts, GitSighting } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import type { Walk } from './find-repositories.ts';
import type { WorkTree } from './find-work-tree.ts';
import type { Below, RepositoryPlace } from './read-below.ts';
import type { Own } from './read-own.ts';
import type { RepositoryConfig } from './repository-config.ts';

interface Read {
  readonly observedAt: number;
  readonly config: RepositoryConfig;
  readonly own: Own;
  readonly below: Below & { state: 'read' };
  readonly walk: Walk;
}

/** The facts of a work tree, from what it and the repositories below it told. */
export function describe(
  { root, commonDir, isLinkedWorktree }: WorkTree,
  { observedAt, config, own, below, walk }: Read,
): Omit<Extract<GitSighting, { state: 'repository' }>, 'cwd'> {
  const { status, history, branches, stashes, underway } = own;
  const { unpushedCommits, isMerged } = history;
  // git names a submodule already where another commit is checked out in it.
  const named = new Set(status.dirty);
  const unnamed = below.dirtySubmodules.filter((path) => !named.has(path));
  return {
    state: 'repository',
    observedAt,
    root,
    isLinkedWorktree,
    ...(commonDir !== join(root, '.git') && { repository: commonDir }),
    ...(status.branch === undefined ? {} : { branch: visible(status.branch, 256) }),
    dirtyFiles: status.dirty.length + unnamed.length,
    ...(unpushedCommits === undefined ? {} : { unpushedCommits }),
    hasRemote: config.remotes.length > 0,
    stashes,
    isMerged,
    ...(underway !== null && { operation: underway.operation }),
    ...(branches.length > 0 && { branches }),
    ...belowIn(below, walk),
  };
}

/** What is told of the repositories below; nothing where there is none. */
export function belowIn({ facts }: Below & { state: 'read' }, walk: Walk): { readonly below?: BelowFacts } {
  const isCut = facts.isCut || walk.isCut;
  return facts.count > 0 || facts.unsaved.length > 0 ? { below: { ...facts, isCut } } : {};
}

const UNNAMEABLE = 'its name is not UTF-8, so git cannot be asked; look yourself, or rename its folder';

/** Submodules, and what was found beside them. */
export function placesIn(root: string, submodules: readonly string[], walk: Walk): RepositoryPlace[] {
  const known = new Set(submodules);
  const found = walk.found.map((path) => relative(root, path)).filter((name) => !known.has(name));
  return [
    ...submodules.map((name) => ({ name, isSubmodule: true })),
    ...found.map((name) => ({ name, isSubmodule: false })),
    ...walk.unnameable.map((path) => ({
      name: relative(root, path),
      isSubmodule: false,
      hindrance: UNNAMEABLE,
    })),
  ];
}
