import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { markOf } from '../files/file-mark.ts';
import type { WorkTree } from './find-work-tree.ts';
import { readSmallFile, unlessAbsent } from './small-file.ts';
import { linkedWorkTrees } from './work-trees.ts';

/** Words that change whenever git wrote something that matters: to the checkout, to refs and config, to any branch. */
export interface WorkTreeMarks {
  readonly checkout: string;
  readonly refs: string;
  readonly branches: string;
}

const MAX_REFS = 4000;

/**
 * Marks the files behind git's answers. git replaces each of them by rename, so inode and times of the files tell every
 * change, which the times of folders, counted in clock ticks, do not. Null: too many or unreadable, trust no memory.
 */
export async function markWorkTree({ gitDir, commonDir }: WorkTree): Promise<WorkTreeMarks | null> {
  try {
    const head = (await readSmallFile(join(gitDir, 'HEAD'), 8192)) ?? '';
    const ref = /^ref: (refs\/.+)\n/.exec(head)?.[1];
    const tables = [join(gitDir, 'reftable/tables.list'), join(commonDir, 'reftable/tables.list')];
    const packed = join(commonDir, 'packed-refs');
    const checkout = [
      ...[join(gitDir, 'index'), join(commonDir, 'refs/stash'), join(commonDir, 'logs/refs/stash'), packed],
      ...(ref === undefined ? [] : [join(commonDir, ref)]),
      ...tables,
    ];
    const refs = [
      ...['config', 'shallow', 'refs/heads/main', 'refs/heads/master'].map((name) => join(commonDir, name)),
      ...[join(gitDir, 'config.worktree'), packed, ...tables],
      ...(await filesUnder(join(commonDir, 'refs/remotes'))),
    ];
    // Which of them are checked out is in the HEADs of the other work trees, as long as their folders are there.
    const others = await linkedWorkTrees(commonDir);
    const branches = [
      ...[packed, ...tables, join(commonDir, 'HEAD'), join(gitDir, 'logs/HEAD')],
      ...others.flatMap((other) => [join(other.gitDir, 'HEAD'), other.dotGit]),
      ...(await filesUnder(join(commonDir, 'refs/heads'))),
      ...(await filesUnder(join(commonDir, 'refs/tags'))),
    ];
    return {
      checkout: `${head}${await mark(checkout)}`,
      refs: await mark(refs),
      branches: await mark(branches),
    };
  } catch {
    return null;
  }
}

async function mark(paths: readonly string[]): Promise<string> {
  const marks = await Promise.all(paths.map(async (path) => `${path} ${await markAt(path)}`));
  return marks.join('\n');
}

async function markAt(path: string): Promise<string> {
  const entry = await unlessAbsent(lstat(path, { bigint: true }), null);
  return entry === null ? 'absent' : markOf(entry);
}

async function filesUnder(top: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await unlessAbsent(readdir(folder, { withFileTypes: true }), [])) {
      // A name that is not UTF-8 names no file once it is decoded, so its changes would not be seen.
      if (entry.name.includes('\uFFFD')) throw new Error(`a ref in ${top} cannot be named`);
      (entry.isDirectory() ? folders : files).push(join(folder, entry.name));
    }
    if (files.length + folders.length > MAX_REFS) throw new Error(`too many refs in ${top}`);
  }
  return files.sort();
}
