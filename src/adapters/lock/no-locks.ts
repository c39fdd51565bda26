import type { LockFailed, Locks } from '../../ports/lock.ts';

/** What callers get where the state folder itself is refused. */
export function noLocks({ text, hint }: Pick<LockFailed, 'text' | 'hint'>): Locks {
  const failed: LockFailed = { state: 'failed', text, hint };
  return {
    tryLock: () => failed,
    waitForLock: async () => failed,
    sightings: () => failed,
    holderOf: () => null,
    heldNow: () => failed,
  };
}
