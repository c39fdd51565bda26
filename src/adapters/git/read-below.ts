import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { BelowFacts, BelowSighting, GitSighting } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { holdsUnsaved } from '../../core/verdict/work-lacks.ts';
import { changedAt } from './changed-at.ts';
import { findWorkTree, type WorkTree } from './find-work-tree.ts';
import { isAbsence } from './small-file.ts';

/** One look at a folder and at everything below it: what is left of its bounds. */
export interface BelowRound {
  readonly now: number;
  /** By the clock that nobody can step. */
  readonly deadline: number;
  /** Repositories that may still be looked at, for all depths together. */
  readonly allowance: { left: number };
  readonly depth: number;
  /** Nothing that an earlier look saw is taken for what is there now. */
  readonly isFresh: boolean;
}

export const MAX_REPOSITORIES = 64;
export const MAX_DEPTH = 6;

/** A place below that holds a repository of its own. */
export interface RepositoryPlace {
  /** From the folder above. */
  readonly name: string;
  readonly isSubmodule: boolean;
  /** Why it cannot be looked at. */
  readonly hindrance?: string;
}

export type Below =
  | { readonly state: 'read'; readonly facts: BelowFacts; readonly dirtySubmodules: readonly string[] }
  | { readonly state: 'failed'; readonly text: string };

const MAX_TOLD = 20;

/**
 * Looks at each repository below as at one of its own, because git's own way into submodules runs what their config
 * names. A submodule that cannot be read fails the whole look; any other repository is reported as unknown.
 */
export async function readBelow(
  root: string,
  places: readonly RepositoryPlace[],
  round: BelowRound,
  look: (workTree: WorkTree, round: BelowRound) => Promise<RepositoryLook>,
): Promise<Below> {
  const unsaved: BelowSighting[] = [];
  const dirtySubmodules: string[] = [];
  let count = 0;
  let isCut = false;
  for (const place of places) {
    const { name, isSubmodule, hindrance } = place;
    const folder = join(root, name);
    if (hindrance !== undefined) {
      const told = { path: visible(name, 400), isSubmodule, changedAt: round.now };
      unsaved.push({ ...told, state: 'failed', text: hindrance });
      continue;
    }
    if (isSubmodule) {
      const filling = await fillingOf(folder);
      if (filling === 'files') dirtySubmodules.push(name);
      if (filling !== 'repository') continue;
    }
    const isOver =
      round.allowance.left <= 0 || performance.now() > round.deadline || round.depth >= MAX_DEPTH;
    if (isOver && isSubmodule) return failed(name, 'it is one of too many, or there was no time for it');
    isCut ||= isOver;
    if (isOver) continue;
    round.allowance.left -= 1;
    const found = await findWorkTree(folder);
    const seen =
      found.state === 'found' && found.workTree.root === folder
        ? await look(found.workTree, { ...round, depth: round.depth + 1 })
        : null;
    const text = seen === null ? textOf(found) : seen.sighting.state === 'failed' ? seen.sighting.text : null;
    if (text !== null) {
      if (isSubmodule) return failed(name, text);
      const at = found.state === 'found' ? await changedAt(found.workTree, null, round.now) : round.now;
      unsaved.push({ path: visible(name, 400), isSubmodule, changedAt: at, state: 'failed', text });
    }
    if (seen === null || seen.sighting.state === 'failed') continue;
    const { sighting } = seen;
    count += Number(sighting.state === 'repository') + (sighting.below?.count ?? 0);
    isCut ||= sighting.below?.isCut ?? false;
    if (sighting.state === 'repository') {
      if (isSubmodule && sighting.dirtyFiles > 0) dirtySubmodules.push(name);
      unsaved.push(...ownOf(place, seen, sighting));
    }
    unsaved.push(...innerOf(place, sighting.below));
  }
  const told = unsaved.sort(byWeight).slice(0, MAX_TOLD);
  return { state: 'read', facts: { count, unsaved: told, isCut }, dirtySubmodules };
}

type Repository = Extract<RepositoryLook['sighting'], { state: 'repository' }>;

function ownOf(
  { name, isSubmodule }: RepositoryPlace,
  look: RepositoryLook,
  sighting: Repository,
): BelowSighting[] {
  const { observedAt, root, isLinkedWorktree, repository, below, ...facts } = sighting;
  const { changedAt } = look;
  return holdsUnsaved(facts) ? [{ ...facts, path: visible(name, 400), isSubmodule, changedAt }] : [];
}

/** What lies still deeper, also in the folder of a bare repository. */
function innerOf({ name, isSubmodule }: RepositoryPlace, below: BelowFacts | undefined): BelowSighting[] {
  return (below?.unsaved ?? []).map((one) => ({
    ...one,
    path: visible(`${name}/${one.path}`, 400),
    isSubmodule: one.isSubmodule && isSubmodule,
  }));
}

/** What lies where the index has a submodule. git looks at none of the files where none was checked out. */
export async function fillingOf(folder: string): Promise<'repository' | 'files' | 'nothing'> {
  try {
    // A folder that is reached through a link is not the submodule; git calls that one deleted.
    if ((await realpath(folder)) !== folder) return 'nothing';
    if (!(await lstat(folder)).isDirectory()) return 'nothing';
    const names = await readdir(folder);
    return names.includes('.git') ? 'repository' : names.length > 0 ? 'files' : 'nothing';
  } catch (error) {
    return isAbsence(error) ? 'nothing' : 'repository';
  }
}

function textOf(found: Awaited<ReturnType<typeof findWorkTree>>): string {
  return found.state === 'failed' ? found.text : 'its repository went away while it was looked at';
}

// Submodules first, because they always count; then what was changed last.
function byWeight(a: BelowSighting, b: BelowSighting): number {
  return Number(b.isSubmodule) - Number(a.isSubmodule) || b.changedAt - a.changedAt;
}

function failed(name: string, text: string): Below {
  return { state: 'failed', text: visible(`the submodule ${name} cannot be told about: ${text}`, 400) };
}

type WithoutCwd<T> = T extends unknown ? Omit<T, 'cwd'> : never;
/** What holds for every folder of one work tree. */
export type WorkTreeSighting = WithoutCwd<GitSighting>;

/** What was seen of a repository, and when something was last done in it: only told of those below another folder. */
export interface RepositoryLook {
  readonly sighting: WorkTreeSighting;
  readonly changedAt: number;
}
