import { isStale, type LockSighting } from '../core/lock/sighting.ts';
import { toDocument } from './document.ts';
import type { LockStatusDocument } from './lock-schema.ts';

/** Locks as `rollcall lock status --json` prints them. */
export function toLockStatusDocument(locks: readonly LockSighting[], at: number): LockStatusDocument {
  return toDocument({ at, locks: locks.map(lockObject) });
}

function lockObject(lock: LockSighting): LockStatusDocument['locks'][number] {
  const { name, project, file, state, holder, holderLife, heldBy } = lock;
  return {
    ...{ name, project, file, state, isStale: isStale(lock) },
    holder: holder && {
      ...{ pid: holder.pid, startTicks: holder.startTicks, bootId: holder.bootId },
      ...{ since: holder.since, task: holder.task, argv: [...holder.argv] },
      life: holderLife ?? 'unknown',
      runner: holder.runner && { ...holder.runner },
    },
    heldBy: heldBy?.map((process) => ({ ...process, argv: [...process.argv] })) ?? null,
  };
}
