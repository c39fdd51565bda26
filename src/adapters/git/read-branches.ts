import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BranchSighting } from '../../core/sighting.ts';
import { visible } from '../../core/visible.ts';
import { changeOf } from './changed-at.ts';
import type { WorkTree } from './find-work-tree.ts';
import type { Git } from './open-git.ts';
import { readHistory } from './read-history.ts';
import { readSmallFile } from './small-file.ts';

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
}

const MAX_BRANCHES = 200;
const MAX_COMMITS = 2000;
/** Squashed changes are looked for in so many branches only: it takes some calls for each. */
const MAX_COMPARED = 4;
const MAX_TOLD = 20;
const MAX_LOG_BYTES = 4 * 1024 * 1024;

const FORMAT = [
  ...['%(refname)', '%(objectname)', '%(committerdate:unix)', '%(if)%(worktreepath)%(then)there%(end)'],
].join('%00');

/**
 * The branches that are checked out nowhere and have commits which neither a remote nor HEAD has, newest first. Two calls;
 * more only for those that were worked on in this very work tree. A branch that is checked out elsewhere is the matter of
 * whoever works there.
 */
export async function readBranches(
  open: () => Git,
  workTree: WorkTree,
  { head, remotes }: { readonly head: string; readonly remotes: readonly string[] },
): Promise<Branches> {
  const git = open();
  const answer = await git(['for-each-ref', `--format=${FORMAT}`, 'refs/heads', 'refs/remotes']);
  if (answer.state === 'failed') return answer;
  if (answer.isTruncated) return { state: 'failed', text: 'there are too many branches to look at' };
  const tips = await tipsIn(answer.stdout.toString('utf8'), workTree, head);
  if (tips.length === 0) return { state: 'read', branches: [], isDecided: true };
  const outside = await git([
    ...['rev-list', `--max-count=${MAX_COMMITS}`, ...new Set(tips.map(({ oid }) => oid))],
    ...['--not', head, '--remotes'],
  ]);
  if (outside.state === 'failed') return outside;
  const oids = new Set(outside.stdout.toString('latin1').split('\n'));
  const isCut = outside.isTruncated || oids.size > MAX_COMMITS;
  const unsaved = tips.filter(({ oid }) => isCut || oids.has(oid));
  if (unsaved.length === 0) return { state: 'read', branches: [], isDecided: true };
  return await withoutMerged(open, unsaved, remotes, await ownBranches(workTree));
}

/** Leaves out what is in the main branch under other commit ids. */
async function withoutMerged(
  open: () => Git,
  tips: readonly Tip[],
  remotes: readonly string[],
  isOwn: (oid: string) => boolean,
): Promise<Branches> {
  const branches: BranchSighting[] = [];
  let compared = 0;
  let isDecided = true;
  for (const { name, oid, changedAt } of tips) {
    const seen = { name: visible(name, 256), changedAt, isOwn: isOwn(oid) };
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
async function tipsIn(output: string, { commonDir }: WorkTree, head: string): Promise<Tip[]> {
  const refs = output.split('\n').map((line) => line.split('\0'));
  const saved = new Set(refs.flatMap(([ref = '', oid]) => (ref.startsWith('refs/remotes/') ? oid : [])));
  const tips: Tip[] = [];
  for (const [ref = '', oid = '', seconds = '', where = ''] of refs) {
    if (oid === '' || oid === head || where !== '' || saved.has(oid)) continue;
    const changedAt = Math.max(await changeOf(join(commonDir, ref)), Number(seconds) * 1000);
    tips.push({ name: ref.slice('refs/heads/'.length), oid, changedAt });
  }
  return tips.sort((a, b) => b.changedAt - a.changedAt).slice(0, MAX_BRANCHES);
}

/**
 * Tells a commit that HEAD of this work tree has stood at. Where the repository has no other work tree, every branch is
 * made here; where HEAD keeps no log, any may be.
 */
async function ownBranches({
  gitDir,
  commonDir,
  isLinkedWorktree,
}: WorkTree): Promise<(oid: string) => boolean> {
  try {
    const others = await readdir(join(commonDir, 'worktrees')).catch(() => []);
    if (!isLinkedWorktree && others.length === 0) return () => true;
    const log = await readSmallFile(join(gitDir, 'logs/HEAD'), MAX_LOG_BYTES);
    if (log === null) return () => true;
    const oids = new Set(log.split('\n').map((line) => line.split(' ')[1] ?? ''));
    return (oid) => oids.has(oid);
  } catch {
    return () => true;
  }
}
