import { sha256 } from '../adapters/files/digest.ts';
import { createHostSensor } from '../adapters/host/host-sensor.ts';
import { readBootTicks } from '../adapters/proc/kernel-units.ts';
import { createJsonFile, type JsonFile } from '../adapters/state/json-file.ts';
import { isSealed, type SealedCheckpoint } from '../core/ledger/checkpoint.ts';
import type { EntryDraft } from '../core/ledger/entry.ts';
import { LedgerError } from '../core/ledger/ledger-error.ts';
import type { Hands } from '../engine/act/hands.ts';
import type { Ledger } from '../ports/ledger.ts';
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

/** About 1 KiB for each of some thousand sessions, and room to spare. */
const FACTS_BYTES = 16 * 1024 * 1024;

/** The folded ledger between two processes: `facts.json` in the state folder. */
export function factsFileIn(folder: string): JsonFile<SealedCheckpoint> {
  const isValid = (value: unknown): value is SealedCheckpoint => isSealed(value, sha256);
  return createJsonFile({ folder, name: 'facts.json', maxBytes: FACTS_BYTES, isValid });
}

/** What closes by itself, the reaper or the settler, records and acts with; whatever it opens is closed again. */
export function closerParts(env: NodeJS.ProcessEnv, actorKind: string, openHands: () => Promise<Hands>) {
  return {
    async record(notes: readonly EntryDraft[]): Promise<void> {
      const ledger = await openLedger(env, actorKind);
      try {
        for (const note of notes) ledger.append(note);
      } finally {
        ledger.close();
      }
    },
    async withHands<T>(work: (hands: Hands) => Promise<T>): Promise<T> {
      const hands = await openHands();
      try {
        return await work(hands);
      } finally {
        hands.ledger.close();
      }
    },
  };
}
