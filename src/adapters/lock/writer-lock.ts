import { WRITER } from '../../core/lock/subject.ts';
import type { LockFailed, Locks, WriterLock } from '../../ports/lock.ts';

/** The lock of everything that changes state: one writer per host and user, also among calls of one process. */
export function createWriterLock(locks: Pick<Locks, 'waitForLock'>): WriterLock {
  return {
    async hold(claim, timeoutMs, work) {
      const taken = await locks.waitForLock(WRITER, claim, { timeoutMs });
      if (taken.state !== 'held') return taken;
      try {
        return { state: 'done', value: await work() };
      } finally {
        taken.hold.release();
      }
    },
  };
}

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
