import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkTree } from './find-work-tree.ts';
import { isAbsence } from './small-file.ts';

const MAX_PATHS = 2000;

/**
 * When something was last done in a repository: HEAD moved, something was stashed, or one of these files was changed. The
 * index says nothing: whoever looks at the files writes it too. Where it cannot be told, it was just now.
 */
export async function changedAt(workTree: WorkTree, dirty: readonly string[], now: number): Promise<number> {
  if (dirty.length > MAX_PATHS) return now;
  const { root, gitDir, commonDir } = workTree;
  try {
    const own = [join(gitDir, 'HEAD'), join(gitDir, 'logs/HEAD'), join(commonDir, 'logs/refs/stash')];
    const times = [...own.map(changeOf), ...dirty.map((path) => changeAround(root, join(root, path)))];
    return Math.max(...(await Promise.all(times)));
  } catch {
    return now;
  }
}

/** When a file was last changed, by the kernel's own note, which nobody can set back; 0 where there is none. */
export async function changeOf(path: string): Promise<number> {
  try {
    return Math.ceil((await lstat(path)).ctimeMs);
  } catch (error) {
    if (isAbsence(error)) return 0;
    throw error;
  }
}

/** Of a file that is gone, the folder that it is gone from. */
async function changeAround(root: string, path: string): Promise<number> {
  const changed = await changeOf(path);
  return changed > 0 || path.length <= root.length ? changed : await changeAround(root, dirname(path));
}
