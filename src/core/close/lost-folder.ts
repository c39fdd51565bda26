import { shellWord } from '../text/shell-word.ts';
import type { KeptDocument } from './kept-document.ts';

/** A folder with a checkout, as it was when its session was closed. */
export interface KeptRepository {
  readonly root: string;
  /** Null on no branch. */
  readonly branch: string | null;
  /** The repository that a linked worktree belongs to; null where the folder is the repository itself. */
  readonly repository: string | null;
}

/** The repositories that an archive tells of. */
export function repositoriesIn({ git }: KeptDocument): readonly KeptRepository[] {
  return git.flatMap(({ state, root, branch = null, repository = null }) =>
    state === 'repository' && root != null ? [{ root, branch, repository }] : [],
  );
}

/** How folders that are gone can be made again, as far as their repositories are known. */
export function offersFor(
  folders: readonly string[],
  repositories: readonly KeptRepository[],
): readonly string[] {
  const lost = repositories.filter(({ root }) =>
    folders.some((folder) => folder === root || folder.startsWith(`${root}/`)),
  );
  return [...new Set(lost.map(offer))];
}

function offer({ root, branch, repository }: KeptRepository): string {
  if (repository === null) {
    return `${root} was a repository of its own${branch === null ? '' : `, on branch ${branch}`}: clone it there again`;
  }
  // What all worktrees share lies in the main one.
  const main = repository.replace(/\/\.git$/, '');
  const what = branch === null ? '--detach' : shellWord(branch);
  return `git -C ${shellWord(main)} worktree add ${shellWord(root)} ${what}`;
}
