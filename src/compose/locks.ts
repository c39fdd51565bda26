import { join } from 'node:path';
import { createHostSensor } from '../adapters/host/host-sensor.ts';
import { noLocks } from '../adapters/lock/writer-lock.ts';
import { createProcessSensor } from '../adapters/proc/process-sensor.ts';
import type { LockDesk, Locks } from '../ports/lock.ts';
import type { ProcessSensor } from '../ports/sensor.ts';
import { ownStateFolder, withUserPath } from './system/own-user.ts';

/** Locks of projects, and the programs that run under them. */
export async function composeLockDesk(env: NodeJS.ProcessEnv): Promise<LockDesk> {
  const { createLockDesk } = await import('../adapters/lock/lock-desk.ts');
  return createLockDesk(await composeLocks(env), withUserPath(env));
}

/** The locks of this user on this machine; their holders are looked for in what `processes` sees. */
export async function composeLocks(
  env: NodeJS.ProcessEnv,
  processes: Pick<ProcessSensor, 'sense' | 'details'> = createProcessSensor({ now: Date.now }),
): Promise<Locks> {
  const { createLocks } = await import('../adapters/lock/locks.ts');
  const folder = ownStateFolder(env);
  if (folder.state === 'refused') return noLocks(folder);
  const now = Date.now;
  const host = createHostSensor({ now });
  return createLocks({ folder: join(folder.path, 'locks'), host: () => host.identity(), processes, now });
}
