import type { LockSighting } from '../../../src/core/lock/sighting.ts';
import { type LockSubject, subjectIdentity } from '../../../src/core/lock/subject.ts';
import type { LockClaim, LockOutcome, Locks } from '../../../src/ports/lock.ts';
import type { Install } from '../machine/install.ts';
import type { Seat } from './seat.ts';

interface Held {
  readonly seat: Seat;
  readonly claim: LockClaim;
  readonly since: number;
}

const held = new WeakMap<Install, Map<string, Held>>();

/** Who has a lock of an install now. */
export function holderOf(install: Install, subject: LockSubject): Seat | null {
  return held.get(install)?.get(subjectIdentity(subject))?.seat ?? null;
}

/** Locks that the kernel releases when their holder ends. */
export function locksOf(seat: Seat): Pick<Locks, 'tryLock' | 'waitForLock'> {
  const { machine, install } = seat;
  const all = held.get(install) ?? new Map<string, Held>();
  held.set(install, all);

  const tryLock = (subject: LockSubject, claim: LockClaim): LockOutcome => {
    seat.step();
    if (seat.fault('locks') !== null)
      return { state: 'failed', text: 'no lock can be had', hint: 'look after the disk' };
    const id = subjectIdentity(subject);
    const other = all.get(id);
    if (other?.seat.isAlive) return { state: 'busy', by: sighting(subject, other) };
    const own: Held = { seat, claim, since: machine.clock.at };
    all.set(id, own);
    const release = () => {
      if (all.get(id) === own) all.delete(id);
    };
    const isInPlace = () => all.get(id) === own;
    return { state: 'held', hold: { file: id, descriptor: 3, noteRunner: () => {}, isInPlace, release } };
  };

  return {
    tryLock,
    async waitForLock(subject, claim, { timeoutMs }) {
      const endsAt = machine.clock.awakeMs + timeoutMs;
      for (let everyMs = 5; ; everyMs = Math.min(50, everyMs * 2)) {
        const taken = tryLock(subject, claim);
        if (taken.state !== 'busy' || machine.clock.awakeMs >= endsAt) return taken;
        await seat.later(everyMs, () => {});
      }
    },
  };

  function sighting(subject: LockSubject, { seat: by, claim, since }: Held): LockSighting {
    const { pid, startTicks } = by.process;
    const { task, argv } = claim;
    const { bootId } = machine.host;
    const holder = { ...subject, pid, startTicks, bootId, since, task, argv, runner: null };
    return {
      ...subject,
      file: subjectIdentity(subject),
      state: 'held',
      holder,
      holderLife: 'alive',
      heldBy: null,
    };
  }
}
