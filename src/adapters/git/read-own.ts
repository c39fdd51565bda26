import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BranchSighting, GitOperation } from '../../core/sight/sighting.ts';
import type { WorkTree } from './find-work-tree.ts';
import { listSubmodules } from './list-submodules.ts';
import type { Git } from './open-git.ts';
import { readBranches } from './read-branches.ts';
import { type CommitHistory, readHistory } from './read-history.ts';
import { readStatus, type WorkTreeStatus } from './read-status.ts';
import type { RepositoryConfig } from './repository-config.ts';
import { changeOf, exists, readSmallFile } from './small-file.ts';

/** An operation that waits to be continued or aborted, and when it was begun. */
interface Underway {
  readonly operation: GitOperation;
  readonly changedAt: number;
}

/** What git leaves in the git folder until the operation is over. A rebase comes first: it picks and merges on its way. */
const TRACES: readonly (readonly [string, GitOperation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry-pick or revert'],
  ['BISECT_LOG', 'bisect'],
];

/** Which operation is in progress; null where there is none. `git status` shows it to people only, not to programs. */
async function readOperation(gitDir: string): Promise<Underway | null> {
  const names = new Set(await readdir(gitDir));
  const [name, operation] = TRACES.find(([trace]) => names.has(trace)) ?? [];
  if (name === undefined || operation === undefined) return null;
  const isAm = name === 'rebase-apply' && (await exists(join(gitDir, name, 'applying')).catch(() => true));
  return { operation: isAm ? 'git am' : operation, changedAt: await changeOf(join(gitDir, name)) };
}

/** What one repository tells of itself, without the repositories below it. */
export interface Own {
  readonly state: 'read';
  readonly status: WorkTreeStatus;
  readonly stashes: number;
  readonly history: CommitHistory & { state: 'read' };
  readonly branches: readonly BranchSighting[];
  readonly submodules: readonly string[];
  readonly underway: Underway | null;
  /** False where an answer on the history was not found in time. */
  readonly isDecided: boolean;
}

/** What an earlier look found and still holds, as far as the marks tell; the rest is asked again. */
export interface HeldReading extends Partial<Pick<Own, 'history' | 'branches' | 'submodules'>> {
  readonly head?: string;
}

export interface OwnReadOptions {
  readonly workTree: WorkTree;
  readonly config: RepositoryConfig;
  /** Opens git with a new allowance of time. */
  readonly open: () => Git;
  readonly untracked: 'normal' | 'all';
  readonly holding: HeldReading;
  readonly now: number;
}

/** Asks git about one repository, and only what is not known already. */
export async function readOwn(
  asked: OwnReadOptions,
): Promise<Own | { readonly state: 'failed'; readonly text: string }> {
  const { workTree, open, holding } = asked;
  const git = open();
  const answer = await readStatus(git, asked.untracked);
  if (answer.state === 'failed') return answer;
  const { status } = answer;
  const listed = holding.submodules ?? (await listSubmodules(workTree, git));
  if ('state' in listed && listed.state === 'failed') return listed;
  const submodules = 'state' in listed ? listed.paths : listed;
  const isHeadSame = status.head === holding.head;
  const history = (isHeadSame && holding.history) || (await historyOf(asked, status.head));
  if (history.state === 'failed') return history;
  const known = isHeadSame ? holding.branches : undefined;
  const read = known ?? (await branchesOf(asked, status.head));
  if ('state' in read && read.state === 'failed') return read;
  const { branches, isDecided } = 'state' in read ? read : { branches: read, isDecided: true };
  const stashes = status.stashes ?? (await countStashes(workTree));
  const underway = await readOperation(workTree.gitDir);
  const isAllDecided = history.isDecided && isDecided;
  return { state: 'read', status, stashes, history, branches, submodules, underway, isDecided: isAllDecided };
}

async function historyOf({ config, open }: OwnReadOptions, head: string | undefined): Promise<CommitHistory> {
  if (head !== undefined) return await readHistory(open(), head, config.remotes);
  // Before the first commit nothing is unpushed, and nothing is merged either.
  const count = config.remotes.length > 0 ? { unpushedCommits: 0 } : {};
  return { state: 'read', ...count, isMerged: false, isDecided: true };
}

/** Without a remote there is nothing to compare a branch with, HEAD's or another. */
async function branchesOf({ workTree, config, open, now }: OwnReadOptions, head: string | undefined) {
  const { remotes, isBare } = config;
  if (remotes.length === 0) return { state: 'read', branches: [], isDecided: true } as const;
  return await readBranches(open, workTree, { head, remotes, isBare, now });
}

/** git before 2.35 leaves the count out of its status; its log has one line for each stash. */
export async function countStashes({ commonDir }: WorkTree): Promise<number> {
  try {
    const log = await readSmallFile(join(commonDir, 'logs/refs/stash'), 1024 * 1024);
    return log === null ? 0 : log.split('\n').length - 1;
  } catch {
    return 1;
  }
}
