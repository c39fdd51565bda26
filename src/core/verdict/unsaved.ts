import type { BelowSighting, BranchSighting, GitSighting, RepositoryFacts } from '../sight/sighting.ts';
import { counted } from '../text/counted.ts';

/** What of a session's work is not saved, in words. */
export interface Unsaved {
  /** Stands against closing. */
  readonly lacking: readonly string[];
  /** Nobody can tell whether it is saved. */
  readonly unknown: readonly string[];
  /** Is not saved either, but was left so before the session began, or by somebody else: only told. */
  readonly earlier: readonly string[];
}

type Seen = Exclude<GitSighting, { state: 'failed' }>;

/**
 * Sorts what git tells of a folder by whether this session can have left it so. What is checked out in the folder, and in its
 * submodules, counts always; another branch, and a repository below, only where something was done there since the session
 * began: closing a session takes neither away, and old ones are everywhere.
 */
export function unsavedIn(facts: Seen, since: number): Unsaved {
  const own = facts.state === 'repository' ? [ofRepository(facts, since, '', true)] : [];
  const below = (facts.below?.unsaved ?? []).map((one) => ofBelow(one, since));
  return merged([...own, ...below]);
}

function ofBelow(below: BelowSighting, since: number): Unsaved {
  const where = `in ${below.isSubmodule ? 'the submodule ' : ''}${below.path}: `;
  const isCounted = below.isSubmodule || below.changedAt >= since;
  if (below.state === 'repository') return ofRepository(below, since, where, isCounted);
  const text = `${where}${below.text}`;
  return isCounted ? { ...NOTHING, unknown: [text] } : { ...NOTHING, earlier: [text] };
}

function ofRepository(facts: RepositoryFacts, since: number, where: string, isCounted: boolean): Unsaved {
  const { dirtyFiles, stashes, hasRemote, isMerged, unpushedCommits, operation } = facts;
  const on = facts.branch === undefined ? 'a detached HEAD' : `branch ${facts.branch}`;
  const unpushed = hasRemote && !isMerged ? unpushedCommits : 0;
  const found = [
    ...(dirtyFiles > 0 ? [`${counted(dirtyFiles, 'uncommitted file')} on ${on}`] : []),
    ...(stashes > 0 ? [`${counted(stashes, 'stash', 'stashes')} in the repository`] : []),
    ...(unpushed !== undefined && unpushed > 0 ? [`${counted(unpushed, 'unpushed commit')} on ${on}`] : []),
    ...(operation === undefined ? [] : [`a ${operation} is in progress`]),
  ].map((text) => `${where}${text}`);
  const unknown = unpushed === undefined ? [`${where}whether ${on} is pushed cannot be told`] : [];
  const branches = (facts.branches ?? []).map((branch) => ofBranch(branch, since, where));
  const head = isCounted
    ? { ...NOTHING, lacking: found, unknown }
    : { ...NOTHING, earlier: [...found, ...unknown] };
  return merged([head, ...branches]);
}

function ofBranch(
  { name, commits, changedAt, isOwn, isTag }: BranchSighting,
  since: number,
  where: string,
): Unsaved {
  const what = commits === undefined ? 'unpushed commits' : counted(commits, 'unpushed commit');
  const text = `${where}${what} on ${isTag ? 'tag' : 'branch'} ${name}`;
  const isCounted = isOwn && changedAt >= since;
  return isCounted ? { ...NOTHING, lacking: [text] } : { ...NOTHING, earlier: [text] };
}

const NOTHING: Unsaved = { lacking: [], unknown: [], earlier: [] };

function merged(all: readonly Unsaved[]): Unsaved {
  return {
    lacking: all.flatMap(({ lacking }) => lacking),
    unknown: all.flatMap(({ unknown }) => unknown),
    earlier: all.flatMap(({ earlier }) => earlier),
  };
}

const SHOWN = 3;

/** The first few of several, in one line. */
export function inShort(texts: readonly string[]): string {
  const more = texts.length - SHOWN;
  return [...texts.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}
