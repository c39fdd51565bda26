import { join } from 'node:path';
import { findWorkTree } from './find-work-tree.ts';
import { readSmallFile } from './small-file.ts';

/** A folder on a disk that does not answer must not hold up a look. */
const TIME_MS = 500;

/** The branch that is checked out around a folder, from git's own files; null where there is none, or none can be told. */
export async function branchAt(folder: string, timeMs = TIME_MS): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeMs);
  });
  const branch = await Promise.race([readBranch(folder).catch(() => null), late]);
  clearTimeout(timer);
  return branch;
}

async function readBranch(folder: string): Promise<string | null> {
  const found = await findWorkTree(folder);
  if (found.state !== 'found') return null;
  const head = (await readSmallFile(join(found.workTree.gitDir, 'HEAD'), 8192)) ?? '';
  return /^ref: refs\/heads\/(.+)\n/.exec(head)?.[1] ?? null;
}
