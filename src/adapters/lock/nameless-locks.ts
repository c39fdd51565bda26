import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LockHolder, parseHolder } from '../../core/lock/holder.ts';
import type { LockSighting } from '../../core/lock/sighting.ts';
import { type LockedDescriptor, listedLocks, lockedDescriptors, lockedFile } from './listed-locks.ts';
import { LOCK_BYTE } from './lock-file.ts';
import { describeHeld, type LockSight } from './look-at-locks.ts';
import { rootMark } from './root-mark.ts';

const MOST_BYTES = 64 * 1024;

/** Whether a process that can be seen here holds this byte in another file than the one of `descriptor`. */
export function isHeldElsewhere(descriptor: number, byte: number, sight: LockSight): boolean {
  const own = lockedFile(descriptor);
  const others = listedLocks()?.filter((lock) => lock.byte === byte && lock.file !== own) ?? [];
  if (others.length === 0) return false;
  // A stranger may lock that byte in a file of its own: only a holder that is found counts.
  return lockedDescriptors(sight.processes.sense().byPid.keys()).some(
    ({ file, bytes }) => file !== own && bytes.includes(byte),
  );
}

/** Which folders are asked about. */
export interface NamelessScope {
  /** Where lock files lie. */
  readonly folder: string;
  /** The names of those that are looked at anyway. */
  readonly names: readonly string[];
  readonly project: string | undefined;
}

/** Locks that are held although their files were removed, or lie elsewhere by now: seen through who holds them. */
export function lookAtNameless(scope: NamelessScope, sight: LockSight): LockSighting[] {
  const { folder, names, project } = scope;
  const listed = new Set(names.map((name) => join(folder, name)));
  const taken = listedLocks()?.filter(({ byte }) => byte === LOCK_BYTE) ?? [];
  const known = new Set([...listed].map(inodeOf));
  if (taken.every(({ file }) => known.has(file.slice(file.lastIndexOf(':') + 1)))) return [];

  const table = sight.processes.sense();
  const state = dirname(folder);
  const roots = [rootMark(state), project === undefined ? null : rootMark(project)];
  const found = new Map<string, { readonly holder: LockHolder | null; readonly all: LockedDescriptor[] }>();
  for (const one of lockedDescriptors(table.byPid.keys())) {
    if (!one.bytes.includes(LOCK_BYTE) || (!one.isRemoved && listed.has(one.name))) continue;
    const held = found.get(one.file) ?? { holder: holderIn(one.path), all: [] };
    found.set(one.file, held);
    held.all.push(one);
  }
  return [...found.values()].flatMap(({ holder, all: [first, ...others] }) => {
    if (first === undefined) return [];
    const isOurs = first.name.startsWith(`${state}/`) || roots.some((root) => root && root === holder?.root);
    const pids = [...new Set([first, ...others].map(({ pid }) => pid))];
    return isOurs ? [describeHeld({ path: first.name, holder, pids }, table, sight)] : [];
  });
}

function inodeOf(path: string): string {
  return String(statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? '');
}

// Through the descriptor of its holder: there is no other way to a file without a name.
function holderIn(path: string): LockHolder | null {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(MOST_BYTES);
      return parseHolder(bytes.toString('utf8', 0, readSync(file, bytes, 0, MOST_BYTES, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
