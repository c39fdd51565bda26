import { createHostSensor } from '../../../src/adapters/host/host-sensor.ts';
import { createLocks, type LocksOptions } from '../../../src/adapters/lock/locks.ts';
import { createProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import type { Locks } from '../../../src/ports/lock.ts';

/** Real locks in a folder, with the real machine around them. */
export function locksIn(folder: string, options: Partial<LocksOptions> = {}): Locks {
  const host = createHostSensor();
  return createLocks({
    folder,
    host: () => host.identity(),
    processes: createProcessSensor(),
    now: Date.now,
    ...options,
  });
}
