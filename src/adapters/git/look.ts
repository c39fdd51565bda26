import type { GitSighting } from '../../core/sight/sighting.ts';

type WithoutCwd<T> = T extends unknown ? Omit<T, 'cwd'> : never;
/** What holds for every folder of one work tree. */
export type WorkTreeSighting = WithoutCwd<GitSighting>;

/** What was seen of a repository, and when something was last done in it: only told of those below another folder. */
export interface Look {
  readonly sighting: WorkTreeSighting;
  readonly changedAt: number;
}
