import type { Git } from './open-git.ts';

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

/**
 * Branches and tags: what people name commits by. Other refs are left out, because tools keep them for themselves and no
 * remote ever has them: notes, what was fetched ahead, the commits that other front ends hold.
 */
export async function readRefs(git: Git): Promise<Refs> {
  const kinds = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const answer = await git(['for-each-ref', `--format=${FORMAT}`, ...kinds]);
  if (answer.state === 'failed') return answer;
  if (answer.isTruncated) return { state: 'failed', text: 'there are too many branches and tags to look at' };
  const refs: Ref[] = [];
  const nested: Ref[] = [];
  for (const line of answer.stdout.toString('utf8').split('\n')) {
    const [name = '', own = '', seconds, where, type, peeled = '', peeledType] = line.split('\0');
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
