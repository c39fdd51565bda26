import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LockHolder } from '../../core/lock/holder.ts';
import { holderLife } from '../../core/lock/life.ts';
import type { HoldingProcess, LockSighting } from '../../core/lock/sighting.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import type { Process, ProcessTable } from '../../core/sight/process.ts';
import { maskWords } from '../../core/text/mask-secrets.ts';
import { unless } from '../../core/try-or.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { findHolding } from './listed-locks.ts';
import { isLocked, readHolder } from './lock-file.ts';

/** What a look at lock files needs to know of the machine. */
export interface LockSight {
  host(): Pick<HostIdentity, 'bootId' | 'pidNamespace'>;
  readonly processes: Pick<ProcessSensor, 'sense' | 'details'>;
}

/** Looks at lock files: which are held, by whom. Files whose lock was never taken are left out. */
export function lookAtLocks(folder: string, names: readonly string[], sight: LockSight): LockSighting[] {
  const seen = names.flatMap((name) => firstLook(join(folder, name)));
  return describeAll(seen, sight);
}

/** Looks only at those that show that they are held. */
export function lookAtHeldLocks(folder: string, names: readonly string[], sight: LockSight): LockSighting[] {
  const shown = names
    .map((name) => join(folder, name))
    .filter((path) => unless('ENOENT', false, () => isLocked(path)));
  return describeAll(shown.flatMap(firstLook), sight).filter(({ state }) => state === 'held');
}

function describeAll(seen: readonly FirstLook[], sight: LockSight): LockSighting[] {
  if (seen.length === 0) return [];
  const table = sight.processes.sense();
  const holding = findHolding(table.byPid.keys(), seen);
  return seen.map((look) => {
    const { path, holder } = look;
    const heldBy = holding === null ? null : describe(holding.get(path) ?? [], holder, table, sight);
    // Someone who is just taking it has not shown it yet.
    const isHeld = look.isHeld || (heldBy?.length ?? 0) > 0;
    return sightingOf(look, isHeld, heldBy, { table, sight });
  });
}

/** A lock that these processes hold, whatever became of its file. */
export function describeHeld(
  { path, holder, pids }: Pick<FirstLook, 'path' | 'holder'> & { readonly pids: readonly number[] },
  table: ProcessTable,
  sight: LockSight,
): LockSighting {
  return sightingOf({ path, holder }, true, describe(pids, holder, table, sight), { table, sight });
}

function sightingOf(
  { path, holder }: Pick<FirstLook, 'path' | 'holder'>,
  isHeld: boolean,
  heldBy: LockSighting['heldBy'],
  { table, sight }: { readonly table: ProcessTable; readonly sight: LockSight },
): LockSighting {
  return {
    name: holder?.name ?? basename(path),
    project: holder?.project ?? null,
    file: path,
    state: isHeld ? 'held' : 'free',
    holder,
    holderLife: holder && holderLife(holder, { ...sight.host(), table }),
    heldBy,
  };
}

interface FirstLook {
  readonly path: string;
  readonly inode: bigint;
  readonly isHeld: boolean;
  readonly holder: LockHolder | null;
}

function firstLook(path: string): FirstLook[] {
  return unless('ENOENT', [], () => {
    const isHeld = isLocked(path);
    const holder = readHolder(path);
    const { ino, size } = statSync(path, { bigint: true });
    return !isHeld && size === 0n ? [] : [{ path, inode: ino, isHeld, holder }];
  });
}

function describe(
  pids: readonly number[],
  holder: LockHolder | null,
  table: ProcessTable,
  { processes }: LockSight,
): HoldingProcess[] {
  const found = pids.flatMap((pid) => table.byPid.get(pid) ?? []);
  const details = processes.details(found, { io: false, memory: false });
  return found.map((process) => ({
    pid: process.pid,
    startedAt: process.startedAt,
    program: process.comm,
    argv: maskWords(details.get(process.pid)?.argv ?? []),
    part: partOf(process, holder),
  }));
}

function partOf({ pid, startTicks }: Process, holder: LockHolder | null): HoldingProcess['part'] {
  if (holder?.pid === pid && holder.startTicks === startTicks) return 'taker';
  // This process inherited it: it runs under that very lock.
  if (pid === process.pid) return 'self';
  const isRunner = holder?.runner?.pid === pid && holder.runner.startTicks === startTicks;
  return isRunner ? 'runner' : 'descendant';
}
