import type { Spawn } from '../programs/run-program.ts';
import { gitEnvironment, gitOptions } from './git-environment.ts';
import { type GitAnswer, runGit } from './run-git.ts';

/** git on one work tree. The calls share one allowance of time, so that a slow disk cannot add up. */
export type Git = (
  args: readonly string[],
  more?: { readonly stdin?: string; readonly maxBytes?: number },
) => Promise<GitAnswer>;

/** How git is reached, the same for every work tree. */
export interface GitAccess {
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly spawn?: Spawn;
}

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** Opens git on a work tree. Without a seal git reads the repository's config: good for asking what that says, no more. */
export function openGit(access: GitAccess, root: string, seal?: string): Git {
  const deadline = performance.now() + access.timeoutMs;
  const env = gitEnvironment(access.env, root, seal);
  const options = gitOptions(root);
  return (args, { stdin, maxBytes = MAX_OUTPUT_BYTES } = {}) =>
    runGit({
      args: [...options, ...args],
      env,
      timeoutMs: Math.max(1, deadline - performance.now()),
      maxBytes,
      ...(stdin !== undefined && { input: stdin }),
      ...(access.spawn === undefined ? {} : { spawn: access.spawn }),
    });
}
