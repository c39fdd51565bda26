import type { Git } from './open-git.ts';
import { linesOf, MAX_BRANCH_COMMITS, sharesAllChanges } from './shared-changes.ts';

/** What HEAD's commits are to the remotes and to the main branch. Depends on refs only, never on files. */
export type CommitHistory =
  | {
      readonly state: 'read';
      readonly unpushedCommits?: number;
      readonly isMerged: boolean;
      /** False when time or bounds ran out before an answer: `isMerged` is then false for want of proof. */
      readonly isDecided: boolean;
    }
  | { readonly state: 'failed'; readonly text: string };

const MAX_UNPUSHED = 10_000;

/**
 * Two or three calls, up to four more when commits are on no remote and the main branch has moved on. Squashed changes
 * are looked for only then: what a remote holds is not lost, merged or not.
 */
export async function readHistory(
  git: Git,
  head: string,
  remotes: readonly string[],
): Promise<CommitHistory> {
  const mains = mainRefs(remotes);
  const branch = await commitsOutside(git, head, mains);
  const hasRemote = remotes.length > 0;
  // In a remote's main branch means on a remote: no need to ask again.
  if (branch?.length === 0) return decided(true, hasRemote ? 0 : undefined);
  const unpushed = hasRemote ? await countUnpushed(git, head) : undefined;
  if (unpushed !== undefined && typeof unpushed !== 'number') return unpushed;
  if (unpushed === 0) return decided(false, unpushed);
  const isMerged = branch === undefined ? undefined : await sharesAllChanges(git, { head, branch, mains });
  return { ...decided(isMerged ?? false, unpushed), isDecided: isMerged !== undefined };
}

function decided(isMerged: boolean, unpushedCommits: number | undefined) {
  const count = unpushedCommits === undefined ? {} : { unpushedCommits };
  return { state: 'read', ...count, isMerged, isDecided: true } as const;
}

/**
 * The refs that hold accepted work. With a remote only the remote counts: commits on an unpushed local main are as
 * unpushed as any. Leaves out names that git could read as an expression.
 */
function mainRefs(remotes: readonly string[]): string[] {
  if (remotes.length === 0) return ['refs/heads/main', 'refs/heads/master'];
  return remotes
    .filter((remote) => /^[\w.+/-]+$/.test(remote) && !remote.includes('..'))
    .slice(0, 8)
    .flatMap((remote) => ['HEAD', 'main', 'master'].map((name) => `refs/remotes/${remote}/${name}`));
}

/** Commits of HEAD that no main branch has; undefined when that could not be told. */
async function commitsOutside(git: Git, head: string, mains: readonly string[]) {
  // HEAD stands before `--ignore-missing`, which would otherwise turn a lost HEAD into "nothing is missing".
  const lines = await linesOf(git, [
    ...['rev-list', '--parents', `--max-count=${MAX_BRANCH_COMMITS + 1}`, head],
    ...['--ignore-missing', '--not', ...mains],
  ]);
  return lines?.map((line) => {
    const [oid = '', ...parents] = line.split(' ');
    return { oid, parents };
  });
}

async function countUnpushed(
  git: Git,
  head: string,
): Promise<number | (CommitHistory & { state: 'failed' })> {
  const bound = `--max-count=${MAX_UNPUSHED}`;
  const answer = await git(['rev-list', '--count', bound, head, '--not', '--remotes']);
  if (answer.state === 'failed') return answer;
  const count = Number.parseInt(answer.stdout.toString('latin1'), 10);
  return Number.isNaN(count) ? { state: 'failed', text: 'git gave no count of unpushed commits' } : count;
}
