import { createHostSensor } from '../adapters/host/host-sensor.ts';
import { readBootTicks } from '../adapters/proc/kernel-units.ts';
import { LedgerError } from '../core/ledger/ledger-error.ts';
import type { Ledger } from '../ports/ledger.ts';
import { factsFileIn } from './facts-file.ts';
import { ownStateFolder, userName } from './system/own-user.ts';

/** The ledger of this user on this machine, for one who acts in this process. Nothing is made before the first entry. */
export async function openLedger(
  env: NodeJS.ProcessEnv,
  actorKind: string,
  busyTimeoutMs?: number,
): Promise<Ledger> {
  const { openSqliteLedger } = await import('../adapters/store-sqlite/sqlite-ledger.ts');
  const folder = ownStateFolder(env);
  if (folder.state === 'refused') throw new LedgerError('unavailable', folder.text, folder.hint);
  const { machineId, bootId, pidNamespace } = createHostSensor({ now: Date.now }).identity();
  const actor = { kind: actorKind, pid: process.pid, user: userName(env) };
  return openSqliteLedger({
    folder: folder.path,
    author: { host: machineId, bootId, actor, ...(pidNamespace !== undefined && { pidNamespace }) },
    now: Date.now,
    ticks: () => readBootTicks('/proc'),
    checkpoint: factsFileIn(folder.path),
    ...(busyTimeoutMs !== undefined && { busyTimeoutMs }),
  });
}
