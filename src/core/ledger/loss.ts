import { bootOf } from '../identity.ts';
import type { LedgerEntry } from './entry.ts';

/** A repair that went on without entries: what they said of sessions that lived then, nobody knows. */
export interface Loss {
  readonly at: number;
  readonly sequence: number;
  readonly host: string;
  readonly bootId: string;
}

/** Why everything that lived then is held. */
export const LOST_ENTRIES = 'the ledger lost entries then, perhaps a hold; rollcall unhold releases it';

/** The action of the note that a repair leaves. */
export const REPAIR = 'repair';

/** The loss that an entry tells of, if it does. */
export function lossBy({ kind, action, at, sequence, host, bootId }: LedgerEntry): Loss | null {
  return kind === 'note' && action === REPAIR ? { at, sequence, host, bootId } : null;
}

/** Whether a session may have been there when entries were lost. One of another boot than the loss was not. */
export function mayHaveLost(loss: Loss | null, key: string): loss is Loss {
  if (loss === null) return false;
  if (bootOf(key, { machineId: loss.host, bootId: loss.bootId }) === 'earlier') return false;
  const createdAtSeconds = Number(/\.(\d+)$/.exec(key)?.[1] ?? 0);
  return createdAtSeconds * 1000 <= loss.at;
}
