import { bootWords } from '../sight/identity.ts';
import type { LedgerEntry } from './entry.ts';
import { numberIn, textsIn } from './json.ts';

/** A repair that went on without entries: what they said of sessions that lived then, nobody knows. */
export interface Loss {
  readonly at: number;
  readonly sequence: number;
  /** The machine and the boot of whoever repaired it, as keys name them. */
  readonly machine: string;
  readonly boot: string;
  /** The clock of that boot then, in the ticks in which starts of processes are counted; null where it did not tell. */
  readonly ticks: number | null;
  /** Boots that the ledger knew before, as `MACHINE.BOOT`. */
  readonly boots: readonly string[];
  /** The boot that each machine was first heard of in since, by machine. */
  readonly firstBoots: Readonly<Record<string, string>>;
}

/** Why everything that may have lived then is held. */
export const LOST_ENTRIES = 'the ledger lost entries then, perhaps a hold; rollcall unhold releases it';

/** The action of the note that a repair leaves. */
export const REPAIR = 'repair';

/** What the note tells of the boots before it, the newest; machines that are older than that have long been restarted. */
export const MAX_BOOTS = 1000;

/** The loss that an entry tells of, if it does. */
export function lossBy({ kind, action, at, sequence, host, bootId, body }: LedgerEntry): Loss | null {
  if (kind !== 'note' || action !== REPAIR) return null;
  const { machine, boot } = bootWords({ machineId: host, bootId });
  return {
    ...{ at, sequence, machine, boot, ticks: numberIn(body.ticks), boots: textsIn(body.boots) },
    firstBoots: { [machine]: boot },
  };
}

/** A loss after a later entry: which boot of its machine wrote it. */
export function lossAfter(loss: Loss | null, { host, bootId }: LedgerEntry): Loss | null {
  if (loss === null) return null;
  const { machine, boot } = bootWords({ machineId: host, bootId });
  if (loss.firstBoots[machine] !== undefined) return loss;
  return { ...loss, firstBoots: { ...loss.firstBoots, [machine]: boot } };
}

/** The boot of an entry, as a repair notes it. */
export function bootNoted({ host, bootId }: Pick<LedgerEntry, 'host' | 'bootId'>): string {
  const { machine, boot } = bootWords({ machineId: host, bootId });
  return `${machine}.${boot}`;
}

/**
 * Whether a session may have been there when entries were lost: unless it is proven that it began later. No wall clock
 * proves it. The clock of the boot does, where its server was started after the repair; and so does a boot that came
 * after one in which its machine was heard of since.
 */
export function mayHaveLost(loss: Loss | null, key: string): loss is Loss {
  if (loss === null) return false;
  const [machine = '', boot = '', , startTicks = ''] = key.split('.');
  if (machine === loss.machine && boot === loss.boot)
    return loss.ticks === null || !(Number(startTicks) > loss.ticks);
  const first = loss.firstBoots[machine];
  return first === undefined || first === boot || loss.boots.includes(`${machine}.${boot}`);
}
