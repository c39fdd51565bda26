import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from './byte-path.ts';
import type { WorkTree } from './find-work-tree.ts';
import type { Git } from './open-git.ts';
import { openIfThere } from './small-file.ts';

export type Submodules =
  | { readonly state: 'read'; readonly paths: readonly string[] }
  | { readonly state: 'failed'; readonly text: string };

/** The mode of a submodule, as every version of the index writes it. */
const MODE = Buffer.from([0, 0, 0xe0, 0]);
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** The paths that the index holds as submodules. git is asked only where the bytes of the index may hold one. */
export async function listSubmodules({ gitDir }: WorkTree, git: Git): Promise<Submodules> {
  try {
    if (!(await mayHoldSubmodules(gitDir))) return { state: 'read', paths: [] };
  } catch (error) {
    return { state: 'failed', text: `the index cannot be read: ${(error as Error).message}` };
  }
  const answer = await git(['ls-files', '--stage', '-z'], { maxBytes: MAX_LIST_BYTES });
  if (answer.state === 'failed') return answer;
  if (answer.isTruncated) return { state: 'failed', text: 'the index is too long to look for submodules' };
  const paths = answer.stdout
    .toString('latin1')
    .split('\0')
    .flatMap((record) => /^160000 [^\t]*\t(.*)$/s.exec(record)?.[1] ?? []);
  const names = [...new Set(paths)].map(textOf);
  const unnameable = names.find(({ isExact }) => !isExact);
  if (unnameable !== undefined) {
    const text = `the name of the submodule ${unnameable.text} is not UTF-8, so it cannot be looked at; look yourself, or rename it`;
    return { state: 'failed', text };
  }
  return { state: 'read', paths: names.map(({ text }) => text) };
}

async function mayHoldSubmodules(gitDir: string): Promise<boolean> {
  // A split index keeps most of its entries in a second file.
  const shared = (await readdir(gitDir)).filter((name) => name.startsWith('sharedindex.'));
  for (const name of ['index', ...shared]) {
    if (await mayHold(join(gitDir, name))) return true;
  }
  return false;
}

async function mayHold(path: string): Promise<boolean> {
  const file = await openIfThere(path);
  if (file === null) return false;
  try {
    const entry = await file.stat();
    if (!entry.isFile()) throw new Error(`${path} is not a regular file`);
    return entry.size > MAX_INDEX_BYTES || (await file.readFile()).includes(MODE);
  } finally {
    await file.close();
  }
}
