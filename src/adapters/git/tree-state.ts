import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { visible } from '../../core/visible.ts';
import type { TreeState } from '../../ports/gate.ts';
import { findWorkTree } from './find-work-tree.ts';
import { readLocalConfig } from './local-config.ts';
import { type GitAccess, openGit } from './open-git.ts';

// Every untracked file by its own name, so that a change in any of them is seen.
const STATUS = [
  ...['status', '--porcelain=v2', '-z', '--branch', '--no-ahead-behind', '--no-renames'],
  ...['--untracked-files=all', '--ignore-submodules=none'],
];
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_PATHS = 10_000;

/**
 * One word for the state of a work tree, from what `git status` says, without a lock, and the marks of every file that it
 * names: a file that was changed before and is changed again looks the same to git, and not to its inode.
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
    const { root } = found.workTree;
    const config = await readLocalConfig(found.workTree, openGit(access, root));
    if (config.state === 'failed') return unknown(config.text);
    const answer = await openGit(access, root, config.filters)(STATUS, { maxBytes: MOST_BYTES });
    if (answer.state === 'failed') return unknown(answer.text);
    if (answer.isTruncated) return unknown('too much has changed to be told apart');
    return digested(root, answer.stdout, mostPaths);
  } catch (error) {
    return unknown((error as Error).message);
  }
}

function digested(root: string, status: Buffer, mostPaths: number): TreeState {
  // One character for each byte: names need not be UTF-8.
  const records = status
    .toString('latin1')
    .split('\0')
    .filter((record) => /^[12u?] /.test(record));
  if (records.length > mostPaths) return unknown(`more than ${mostPaths} files have changed`);
  const hash = createHash('sha256').update(root).update('\0').update(status);
  for (const record of records) {
    const path = pathIn(record);
    if (path === null) return unknown('git names a file in a way that is not understood');
    if (hidesChanges(record, path)) {
      return unknown(`${path} is a repository of its own, whose changes cannot be told apart`);
    }
    hash.update(`\0${markOf(root, path)}`);
  }
  return { state: 'known', digest: hash.digest('hex'), root, dirtyFiles: records.length };
}

// Changed: 8 fields before the path; unmerged: 10; untracked: 1. Renames were asked not to be told.
function pathIn(record: string): string | null {
  const fields = { '1': 8, u: 10, '?': 1 }[record[0] ?? ''];
  if (fields === undefined) return null;
  let at = 0;
  for (let field = 0; field < fields; field += 1) {
    at = record.indexOf(' ', at) + 1;
    if (at === 0) return null;
  }
  return record.slice(at);
}

/** A submodule with changes inside it, or a repository that is not tracked: git says so once and no more. */
function hidesChanges(record: string, path: string): boolean {
  return path.endsWith('/') || /^[1u] \S\S S(?:\S[^.]\S|\S\S[^.])/.test(record);
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
