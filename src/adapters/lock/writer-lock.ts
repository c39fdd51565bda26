import { WRITER } from '../../core/lock/subject.ts';
import type { Locks, WriterLock } from '../../ports/lock.ts';

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
