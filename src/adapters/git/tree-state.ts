import { createHash, type Hash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../core/text/visible.ts';
import type { TreeState } from '../../ports/gate.ts';
import { findWorkTree, type WorkTree } from './find-work-tree.ts';
import { listSubmodules } from './list-submodules.ts';
import { type GitAccess, openGit } from './open-git.ts';
import { fillingOf, MAX_DEPTH, MAX_REPOSITORIES } from './read-below.ts';
import { pathIn } from './read-status.ts';
import { hindranceTo, readRepositoryConfig } from './repository-config.ts';
import { withSeal } from './seal.ts';

// Every untracked file by its own name, so that a change in any of them is seen. git itself must not look into
// submodules: it would run what their config names.
const STATUS = [
  ...['status', '--porcelain=v2', '-z', '--branch', '--no-ahead-behind', '--no-renames'],
  ...['--untracked-files=all', '--ignore-submodules=dirty'],
];
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_PATHS = 10_000;

interface Bounds {
  readonly mostPaths: number;
  readonly depth: number;
  /** Repositories that may still be looked at. */
  readonly allowance: { left: number };
}

/**
 * One digest for the state of a work tree: what `git status` says, without a lock, and a mark of every file that it
 * names, because git does not show that a changed file has changed again.
 */
export async function readTreeState(
  access: GitAccess,
  cwd: string,
  mostPaths = MOST_PATHS,
): Promise<TreeState> {
  try {
    const found = await findWorkTree(cwd);
    if (found.state === 'failed') return unknown(found.text);
    if (found.state === 'none') return unknown(`${cwd} is in no git repository`);
    const bounds = { mostPaths, depth: 0, allowance: { left: MAX_REPOSITORIES } };
    return await stateOf(access, found.workTree, bounds);
  } catch (error) {
    return unknown((error as Error).message);
  }
}

async function stateOf(access: GitAccess, workTree: WorkTree, bounds: Bounds): Promise<TreeState> {
  const { root } = workTree;
  const config = await readRepositoryConfig(workTree, openGit(access, root));
  if (config.state === 'failed') return unknown(config.text);
  const hindrance = await hindranceTo(workTree, config);
  if (hindrance !== null) return unknown(hindrance.state === 'none' ? `${root} is bare` : hindrance.text);
  const [answer, listed] = await withSeal(workTree, config, async (seal) => {
    const git = openGit(access, root, seal);
    return [await git(STATUS, { maxBytes: MOST_BYTES }), await listSubmodules(workTree, git)] as const;
  });
  if (answer.state === 'failed') return unknown(answer.text);
  if (answer.isTruncated) return unknown('too much has changed to be told apart');
  if (listed.state === 'failed') return unknown(listed.text);
  const hash = createHash('sha256').update(root).update('\0').update(answer.stdout);
  for (const path of listed.paths) {
    const doubt = await addSubmodule(access, join(root, path), hash, bounds);
    if (doubt !== null) return unknown(`${path} is a repository of its own, ${doubt}`);
  }
  return digested(root, answer.stdout, hash, bounds.mostPaths);
}

/** A submodule without changes adds what it has checked out; why it does not, else. */
async function addSubmodule(
  access: GitAccess,
  folder: string,
  hash: Hash,
  { mostPaths, depth, allowance }: Bounds,
): Promise<string | null> {
  const filling = await fillingOf(folder);
  if (filling === 'nothing') return null;
  const found = await findWorkTree(folder);
  if (filling === 'files' || found.state !== 'found' || found.workTree.root !== folder) return HIDDEN;
  allowance.left -= 1;
  if (allowance.left < 0 || depth >= MAX_DEPTH) return 'one of too many';
  const state = await stateOf(access, found.workTree, { mostPaths, depth: depth + 1, allowance });
  if (state.state === 'unknown') return `of which nothing can be told: ${state.text}`;
  if (state.dirtyFiles > 0) return HIDDEN;
  hash.update(`\0${state.digest}`);
  return null;
}

const HIDDEN = 'whose changes cannot be told apart';

function digested(root: string, status: Buffer, hash: Hash, mostPaths: number): TreeState {
  // One character for each byte: names need not be UTF-8.
  const records = status
    .toString('latin1')
    .split('\0')
    .filter((record) => /^[12u?] /.test(record));
  if (records.length > mostPaths) return unknown(`more than ${mostPaths} files have changed`);
  for (const record of records) {
    const path = pathIn(record);
    if (path === null) return unknown('git names a file in a way that is not understood');
    // A repository that is not tracked: git says so once and no more.
    if (path.endsWith('/')) return unknown(`${path} is a repository of its own, ${HIDDEN}`);
    hash.update(`\0${markOf(root, path)}`);
  }
  return { state: 'known', digest: hash.digest('hex'), root, dirtyFiles: records.length };
}

function markOf(root: string, path: string): string {
  const bytes = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  const entry = lstatSync(bytes, { bigint: true, throwIfNoEntry: false });
  if (entry === undefined) return 'absent';
  const { mtimeNs, ctimeNs, size, ino, mode } = entry;
  return [mtimeNs, ctimeNs, size, ino, mode].join(' ');
}

/** The root of the repository around a folder; null outside of one. */
export async function rootAround(cwd: string): Promise<string | null> {
  const found = await findWorkTree(cwd);
  return found.state === 'found' ? found.workTree.root : null;
}

function unknown(text: string): TreeState {
  return { state: 'unknown', text: visible(text, 400) };
}
