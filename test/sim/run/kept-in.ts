import type { LockSubject } from '../../../src/core/lock/subject.ts';
import { sessionLock } from '../../../src/engine/act/deed.ts';
import type { Kept } from '../laws/scene.ts';
import type { Machine } from '../machine/machine.ts';
import { archivesOf } from '../ports/archive.ts';
import { ledgerOf } from '../ports/ledger-store.ts';
import { holderOf } from '../ports/locks.ts';

/** What the state folders of a machine hold, for laws. */
export function keptIn(machine: Machine): Kept {
  const seatOf = (install: string, subject: LockSubject) => holderOf(machine.install(install), subject);
  return {
    entries: (install) => ledgerOf(machine.install(install)).entries,
    facts: (install, key) => ledgerOf(machine.install(install)).folded.facts.get(key),
    holder(install, session) {
      const seat = seatOf(install, sessionLock(session));
      return seat?.isAlive ? seat.name : null;
    },
    archive: (install, id) => archivesOf(machine.install(install)).get(id) ?? null,
  };
}
