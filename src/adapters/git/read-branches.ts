import { join } from 'node:path';
import type { BranchSighting } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { refChangedAt } from './changed-at.ts';
import type { WorkTree } from './find-work-tree.ts';
import type { Git } from './open-git.ts';
import { readHistory } from './read-history.ts';
import { justNow, readSmallFile } from './small-file.ts';
import { type OtherWorkTrees, otherWorkTrees } from './work-trees.ts';

export type Branches =
  | {
      readonly state: 'read';
      readonly branches: readonly BranchSighting[];
      /** False where it was not found out in time whether one of them is merged. */
      readonly isDecided: boolean;
    }
  | { readonly state: 'failed'; readonly text: string };

interface Tip {
  readonly name: string;
  readonly oid: string;
  readonly changedAt: number;
  /** It was made in this work tree, as far as can be told: where there is no other one, every branch was. */
  readonly isOwn: boolean;
  readonly isTag: boolean;
}

interface Known {
  readonly head: string | undefined;
  readonly others: OtherWorkTrees;
  readonly hasStood: (oid: string) => boolean;
  readonly now: number;
}

/** The commit of HEAD, absent before its first one, and what the config says. */
export interface HeadStanding {
  readonly head: string | undefined;
  readonly remotes: readonly string[];
  readonly isBare: boolean;
  readonly now: number;
}

const MAX_TIPS = 200;
const MAX_COMMITS = 2000;
/** Squashed changes are looked for in so many branches only: it takes some calls for each. */
const MAX_COMPARED = 4;
const MAX_TOLD = 20;
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/**
 * The branches that are checked out nowhere, and the tags that were made here, with commits which neither a remote nor HEAD
 * has, newest first. Two calls; more only for those that were worked on in this very work tree. A branch that is checked out
 * elsewhere is the matter of whoever works there.
 */
export async function readBranches(
  open: () => Git,
  workTree: WorkTree,
  { head, remotes, isBare, now }: HeadStanding,
): Promise<Branches> {
  const git = open();
  const answer = await readRefs(git);
  if (answer.state === 'failed') return answer;
  const [others, hasStood] = [await otherWorkTrees(workTree, isBare), await standsOf(workTree, isBare)];
  const tips = await tipsIn(answer.refs, workTree, { head, others, hasStood, now });
  if (tips.length === 0) return { state: 'read', branches: [], isDecided: true };
  const outside = await git([
    ...['rev-list', `--max-count=${MAX_COMMITS}`, ...new Set(tips.map(({ oid }) => oid))],
    ...['--not', ...(head === undefined ? [] : [head]), '--remotes'],
  ]);
  if (outside.state === 'failed') return outside;
  const oids = new Set(outside.stdout.toString('latin1').split('\n'));
  const isCut = outside.isTruncated || oids.size > MAX_COMMITS;
  const unsaved = tips.filter(({ oid }) => isCut || oids.has(oid));
  return await withoutMerged(open, unsaved, remotes);
}

/** Leaves out what is in the main branch under other commit ids. */
async function withoutMerged(
  open: () => Git,
  tips: readonly Tip[],
  remotes: readonly string[],
): Promise<Branches> {
  const branches: BranchSighting[] = [];
  let compared = 0;
  let isDecided = true;
  for (const { name, oid, changedAt, isOwn, isTag } of tips) {
    const seen = { name: visible(name, 256), changedAt, isOwn, ...(isTag && { isTag }) };
    compared += Number(seen.isOwn);
    if (!seen.isOwn || compared > MAX_COMPARED) {
      branches.push(seen);
      continue;
    }
    const history = await readHistory(open(), oid, remotes);
    if (history.state === 'failed') return history;
    const { unpushedCommits = 0, isMerged } = history;
    isDecided &&= history.isDecided;
    if (!isMerged && unpushedCommits > 0) branches.push({ ...seen, commits: unpushedCommits });
  }
  return { state: 'read', branches: branches.slice(0, MAX_TOLD), isDecided };
}

/** Branches that stand neither where HEAD nor where a branch of a remote stands: for most there is no need to ask more. */
async function tipsIn(refs: readonly Ref[], { commonDir }: WorkTree, known: Known): Promise<Tip[]> {
  const { head, others, hasStood, now } = known;
  const saved = new Set(refs.flatMap(({ name, oid }) => (name.startsWith('refs/remotes/') ? oid : [])));
  const branches: Tip[] = [];
  const tags: Tip[] = [];
  for (const { name: ref, oid, seconds, isCheckedOut } of refs) {
    if (oid === head || saved.has(oid) || (isCheckedOut && others.has(ref))) continue;
    const isTag = ref.startsWith('refs/tags/');
    // Tags come from remotes in great numbers, and not all of their commits are on a branch there.
    if (isTag && !hasStood(oid)) continue;
    const movedAt = await refChangedAt(commonDir, ref).catch(() => justNow(now));
    const changedAt = Math.max(movedAt, Number(seconds) * 1000);
    const isOwn = others.count === 0 || hasStood(oid);
    const name = ref.slice((isTag ? 'refs/tags/' : 'refs/heads/').length);
    (isTag ? tags : branches).push({ name, oid, changedAt, isOwn, isTag });
  }
  const named = new Set(branches.map(({ oid }) => oid));
  // Bounded each for itself: no number of tags may hide a branch.
  return newest([...newest(branches), ...newest(tags.filter(({ oid }) => !named.has(oid)))], 2 * MAX_TIPS);
}

function newest(tips: readonly Tip[], amount = MAX_TIPS): Tip[] {
  return [...tips].sort((a, b) => b.changedAt - a.changedAt).slice(0, amount);
}

/** Says whether HEAD of this work tree stood at a commit: any, where it keeps no log; none, in a bare repository. */
async function standsOf({ gitDir, isLinkedWorktree }: WorkTree, isBare: boolean) {
  if (isBare && !isLinkedWorktree) return () => false;
  try {
    const log = await readSmallFile(join(gitDir, 'logs/HEAD'), MAX_LOG_BYTES);
    if (log === null) return () => true;
    const oids = new Set(log.split('\n').map((line) => line.split(' ')[1] ?? ''));
    return (oid: string) => oids.has(oid);
  } catch {
    return () => true;
  }
}

/** A branch, a branch of a remote, or a tag, with the commit that it leads to. */
export interface Ref {
  readonly name: string;
  readonly oid: string;
  /** The date of the commit or of the tag. */
  readonly seconds: number;
  /** git says that a work tree has it checked out. It says so of bare repositories and of folders that are gone, too. */
  readonly isCheckedOut: boolean;
}

export type Refs =
  | { readonly state: 'read'; readonly refs: readonly Ref[] }
  | { readonly state: 'failed'; readonly text: string };

const FORMAT = [
  ...['%(refname)', '%(objectname)', '%(creatordate:unix)', '%(if)%(worktreepath)%(then)there%(end)'],
  ...['%(objecttype)', '%(*objectname)', '%(*objecttype)'],
].join('%00');
const FIELDS = FORMAT.split('%00').length;
const UNREADABLE = 'git lists branches in a way that is not understood';

/**
 * Branches and tags: what people name commits by. Leaves out other refs, which tools keep for themselves and no remote
 * has: notes, prefetched refs, refs of other front ends.
 */
export async function readRefs(git: Git): Promise<Refs> {
  const kinds = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const answer = await git(['for-each-ref', `--format=${FORMAT}`, ...kinds]);
  if (answer.state === 'failed') return answer;
  if (answer.isTruncated) return { state: 'failed', text: 'there are too many branches and tags to look at' };
  const refs: Ref[] = [];
  const nested: Ref[] = [];
  for (const line of answer.stdout.toString('utf8').split('\n')) {
    if (line === '') continue;
    const fields = line.split('\0');
    const [name = '', own = '', seconds = '', where, type, peeled = '', peeledType] = fields;
    // One that is not understood may be the branch that nobody else has. A tag of a file has no date.
    if (fields.length !== FIELDS || !/^-?\d{0,12}$/.test(seconds))
      return { state: 'failed', text: UNREADABLE };
    const ref = { name, seconds: Number(seconds), isCheckedOut: where !== '' };
    if (type === 'commit') refs.push({ ...ref, oid: own });
    if (type === 'tag' && peeledType === 'commit') refs.push({ ...ref, oid: peeled });
    // git before 2.45 opens one tag only where a tag names a tag.
    if (type === 'tag' && peeledType === 'tag') nested.push({ ...ref, oid: peeled });
  }
  return nested.length === 0 ? { state: 'read', refs } : await withOpened(git, refs, nested);
}

async function withOpened(git: Git, refs: readonly Ref[], nested: readonly Ref[]): Promise<Refs> {
  const stdin = nested.map(({ oid }) => `${oid}^{commit}\n`).join('');
  const answer = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { stdin });
  if (answer.state === 'failed') return answer;
  const lines = answer.stdout.toString('latin1').split('\n');
  const opened = nested.flatMap((ref, index) => {
    const oid = /^(\w+) commit$/.exec(lines[index] ?? '')?.[1];
    return oid === undefined ? [] : [{ ...ref, oid }];
  });
  return { state: 'read', refs: [...refs, ...opened] };
}
