import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { visible } from '../../core/text/visible.ts';
import { exists, readSmallFile } from './small-file.ts';

/** A folder with its own checkout. `gitDir` is its own part of the repository, `commonDir` what all its work trees share. */
export interface WorkTree {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly isLinkedWorktree: boolean;
}

export type WorkTreeFinding =
  | { readonly state: 'found'; readonly workTree: WorkTree }
  | { readonly state: 'none' }
  | { readonly state: 'failed'; readonly text: string };

/**
 * Finds the work tree around a folder the way git does, without a fork: upwards, never across a mount. A `.git` that
 * is there but cannot be understood is a failure, where git would go on upwards: it may be all that is left of work.
 */
export async function findWorkTree(cwd: string): Promise<WorkTreeFinding> {
  // Linux marks the cwd of a process whose folder was removed so; a folder that is really called so stays unknown.
  if (cwd.endsWith(' (deleted)')) return failed(`${cwd} was deleted`);
  if (!isAbsolute(cwd)) return failed(`${cwd} is not an absolute path`);
  try {
    return await walkUp(await realpath(cwd));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return failed(`${cwd} does not exist`);
    if (code === 'EACCES') return failed(`${cwd} may not be read`);
    return failed(`${cwd}: ${message}`);
  }
}

async function walkUp(start: string): Promise<WorkTreeFinding> {
  const first = await stat(start);
  if (!first.isDirectory()) return failed(`${start} is not a folder`);
  for (let folder = start; ; folder = dirname(folder)) {
    if ((await stat(folder)).dev !== first.dev) return { state: 'none' };
    if (await exists(join(folder, '.git'))) return await open(folder);
    if (folder === dirname(folder)) return { state: 'none' };
  }
}

async function open(root: string): Promise<WorkTreeFinding> {
  const dotGit = join(root, '.git');
  const gitDir = (await stat(dotGit)).isDirectory() ? dotGit : await readLink(root, dotGit);
  if (gitDir === null) return failed(`${dotGit} is neither a folder nor a link to one`);
  const shared = (await readSmallFile(join(gitDir, 'commondir'), 8192))?.trimEnd();
  const commonDir = shared === undefined ? gitDir : resolve(gitDir, shared);
  const parts = [join(gitDir, 'HEAD'), join(commonDir, 'objects'), join(commonDir, 'refs')];
  for (const part of parts) {
    if (!(await exists(part))) return failed(`${dotGit} is not a usable repository: no ${part}`);
  }
  return { state: 'found', workTree: { root, gitDir, commonDir, isLinkedWorktree: shared !== undefined } };
}

/** Work trees and submodules have a file that names the folder instead; null where this is no such file. */
export async function readLink(root: string, dotGit: string): Promise<string | null> {
  const text = await readSmallFile(dotGit, 8192);
  if (text === null || !text.startsWith('gitdir: ')) return null;
  return resolve(root, text.slice('gitdir: '.length).replace(/[\r\n]+$/, ''));
}

function failed(text: string): WorkTreeFinding {
  return { state: 'failed', text: visible(text, 400) };
}

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
