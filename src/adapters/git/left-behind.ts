import { type ChildProcess, spawn as nodeSpawn } from 'node:child_process';
import type { Spawn } from './run-git.ts';

/** Knows the gits that were started and have not ended. */
export interface WatchedGits {
  readonly spawn: Spawn;
  /** Whether one that was told to end still stands in a work tree, or below it: a mount that gives no answer holds it. */
  isHeldIn(root: string): boolean;
}

/** Long enough for the end of a process that was killed to be heard of. */
const ENDING_MS = 200;

/** Watches the gits that are started through it. The work tree is told from their own `-C`. */
export function watchGits(
  spawn: Spawn = nodeSpawn,
  now: () => number = () => performance.now(),
): WatchedGits {
  const running = new Map<ChildProcess, { readonly root: string; killedAt: number | null }>();
  return {
    spawn(command, args, options) {
      const child = spawn(command, args, options);
      const git = { root: args[args.indexOf('-C') + 1] ?? '', killedAt: null as number | null };
      running.set(child, git);
      const ended = () => running.delete(child);
      child.once('exit', ended).once('error', ended);
      // Its reader hangs up when it has waited long enough, and kills it.
      child.stdout?.once('close', () => {
        git.killedAt = now();
      });
      return child;
    },
    isHeldIn: (root) =>
      [...running.values()].some(
        (git) =>
          `${git.root}/`.startsWith(`${root}/`) && git.killedAt !== null && now() - git.killedAt > ENDING_MS,
      ),
  };
}
