import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitOperation } from '../../core/sighting.ts';
import { changeOf } from './change-of.ts';
import { isAbsence } from './small-file.ts';

/** An operation that waits to be continued or aborted, and when it was begun. */
export interface Underway {
  readonly operation: GitOperation;
  readonly changedAt: number;
}

/** What git leaves in the git folder until the operation is over. A rebase comes first: it picks and merges on its way. */
const TRACES: readonly (readonly [string, GitOperation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry-pick or revert'],
  ['BISECT_LOG', 'bisect'],
];

/** Which operation is in progress; null where there is none. `git status` shows it to people only, not to programs. */
export async function readOperation(gitDir: string): Promise<Underway | null> {
  const names = new Set(await readdir(gitDir));
  const [name, operation] = TRACES.find(([trace]) => names.has(trace)) ?? [];
  if (name === undefined || operation === undefined) return null;
  const isAm = name === 'rebase-apply' && (await isThere(join(gitDir, name, 'applying')));
  return { operation: isAm ? 'git am' : operation, changedAt: await changeOf(join(gitDir, name)) };
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => !isAbsence(error),
  );
}
