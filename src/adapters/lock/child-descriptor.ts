import { readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Hold } from '../../ports/lock.ts';

/**
 * The descriptor at which a runner finds its lock. One digit, so that any shell can close it for a program that is meant to
 * outlive the runner (`daemon 8>&-`), and last of all those that scripts like to use themselves (9, 4, 3).
 */
const NUMBERS = [8, 7, 6, 5, 9, 4, 3] as const;

/** Which descriptors a runner gets, for its environment and as `stdio`. */
export interface ChildDescriptors {
  /** Value of `ROLLCALL_LOCK_FD`: the locks around this one first. */
  readonly numbers: string;
  readonly stdio: ('inherit' | 'ignore' | number)[];
}

/** Hands on this lock, and those that this process runs under itself: Node would close them for the runner. */
export function childDescriptors(hold: Hold, env: NodeJS.ProcessEnv): ChildDescriptors {
  const outer = NUMBERS.filter((number) => isOuterLock(number, hold, env));
  const own = NUMBERS.find((number) => !outer.includes(number)) ?? NUMBERS[0];
  const last = Math.max(own, ...outer);
  const stdio = Array.from({ length: last + 1 }, (_, at): ChildDescriptors['stdio'][number] => {
    if (at < 3) return 'inherit';
    if (at === own) return hold.descriptor;
    return outer.some((number) => number === at) ? at : 'ignore';
  });
  return { numbers: [...outer, own].join(' '), stdio };
}

// The variable alone proves nothing: whoever was started without the lock may still have it in the environment.
function isOuterLock(number: number, { file, descriptor }: Hold, env: NodeJS.ProcessEnv): boolean {
  const isSaid = (env.ROLLCALL_LOCK_FD ?? '').split(' ').includes(String(number));
  if (!isSaid || number === descriptor) return false;
  try {
    return dirname(readlinkSync(`/proc/self/fd/${number}`)) === dirname(file);
  } catch {
    return false;
  }
}
