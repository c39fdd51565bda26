import type { HoldingProcess } from '../../core/lock/sighting.ts';
import type { LockDesk, Locks } from '../../ports/lock.ts';
import { findProjectRoot } from './project-root.ts';
import { runUnderLock } from './run-under-lock.ts';

/** Everything that `rollcall lock` needs. */
export function createLockDesk(locks: Locks, env: NodeJS.ProcessEnv): LockDesk {
  return {
    locks,
    projectRoot: findProjectRoot,
    async run(hold, argv, onSignal) {
      const end = await runUnderLock(hold, argv, { env, onSignal });
      return { end, leftBehind: leftBehindIn(locks, hold.file) };
    },
  };
}

// Unless the next one has taken it meanwhile: then those are its processes.
function leftBehindIn(locks: Locks, file: string): readonly HoldingProcess[] {
  const seen = locks.sightings();
  const lock = seen.state === 'seen' ? seen.locks.find((each) => each.file === file) : undefined;
  if (lock?.holder?.pid !== process.pid) return [];
  return lock.heldBy?.filter(({ part }) => part === 'descendant') ?? [];
}
