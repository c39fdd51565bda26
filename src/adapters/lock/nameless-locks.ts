import { constants, openSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { LockHolder } from '../../core/lock/holder.ts';
import type { LockSighting } from '../../core/lock/sighting.ts';
import { DAEMON, LOCK_ENDING, type LockSubject, RUNNER_NAME, WRITER } from '../../core/lock/subject.ts';
import { tryOr } from '../../core/try-or.ts';
import type { LockSightings } from '../../ports/lock.ts';
import { sha256 } from '../files/digest.ts';
import { namesInOrThrow } from '../files/look.ts';
import { mayReach } from '../files/open-elsewhere.ts';
import { withFile } from '../files/own-file.ts';
import {
  type LockedDescriptor,
  listedAt,
  listedLocks,
  lockedDescriptors,
  lockedFile,
} from './listed-locks.ts';
import { checkLockFolder, toFailed } from './lock-failure.ts';
import { holderIn, LOCK_BYTE } from './lock-file.ts';
import { describeHeld, type LockSight, type lookAtLocks } from './look-at-locks.ts';

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
  /** A lock that is asked for by its name, beside those that rollcall itself names. */
  readonly wanted?: string;
}

/** Locks that are held although their files were removed, renamed or moved: seen through who holds them. */
export function lookAtNameless(scope: NamelessScope, sight: LockSight): LockSighting[] {
  const { folder, names } = scope;
  const taken = listedLocks()?.filter(({ byte }) => byte === LOCK_BYTE) ?? [];
  if (taken.length === 0) return [];
  const known = new Set(names.map((name) => listedAt(join(folder, name), taken)));
  if (taken.every(({ file }) => known.has(file))) return [];

  const table = sight.processes.sense();
  const state = dirname(folder);
  const found = new Map<string, LockedDescriptor[]>();
  for (const one of lockedDescriptors(table.byPid.keys())) {
    if (!one.bytes.includes(LOCK_BYTE) || known.has(one.file)) continue;
    found.set(one.file, [...(found.get(one.file) ?? []), one]);
  }
  const roots = rootsOf(scope);
  return [...found.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const holder = noteThrough(first, state);
    const subject = subjectIn(first.bytes, roots, scope.wanted);
    const isOurs =
      subject !== null ||
      first.name.startsWith(`${state}/`) ||
      roots.some(({ root }) => root === holder?.root);
    if (!isOurs) return [];
    const pids = [...new Set([first, ...others].map(({ pid }) => pid))];
    const held = describeHeld({ path: first.name, holder, pids }, table, sight);
    return [holder === null ? { ...held, ...subject } : held];
  });
}

interface Root {
  readonly root: string;
  readonly project: string | null;
}

function rootsOf({ folder, project }: NamelessScope): Root[] {
  const folders: [path: string, project: string | null][] = [[dirname(folder), null]];
  if (project !== undefined) folders.push([project, project]);
  return folders.flatMap(([path, named]) => {
    const root = rootMark(path);
    return root === null ? [] : [{ root, project: named }];
  });
}

// What a holder whose note cannot be read holds: its bytes still tell, for names that can be tried.
function subjectIn(bytes: readonly number[], roots: readonly Root[], wanted: string = RUNNER_NAME) {
  const names = [WRITER.name, DAEMON.name, RUNNER_NAME, wanted];
  const subjects = roots.flatMap(({ root, project }) =>
    names.map((name) => ({ name, project, byte: byteOf(name, root) })),
  );
  const found = subjects.find(({ byte }) => bytes.includes(byte));
  return found === undefined ? null : { name: found.name, project: found.project };
}

/**
 * What a holder wrote about itself, through its descriptor: the only way to a file without a name. Anybody may lock that
 * byte of any file: so nothing is opened that could block, such as a pipe or a dead mount.
 */
function noteThrough({ pid, descriptor, open }: LockedDescriptor, state: string): LockHolder | null {
  const path = `/proc/${pid}/fd/${descriptor}`;
  return tryOr(null, () => {
    if (!mayReach(open.mount(), statSync(state, { bigint: true }).dev) || !statSync(path).isFile())
      return null;
    return withFile(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), holderIn);
  });
}

/**
 * A folder by device and inode: the same through every path, and after a move. Null where none is, or locks are not
 * listed; also for what is no absolute path, as the key of a session: a folder of that name may lie anywhere.
 */
export function rootMark(folder: string): string | null {
  if (process.platform !== 'linux' || !isAbsolute(folder)) return null;
  const entry = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return entry === undefined ? null : `${entry.dev}:${entry.ino}`;
}

/** Behind the bytes that are locked in every file. */
const FIRST = 2 ** 20;

/**
 * The byte that a holder locks beside the others, in whichever file it has. The kernel lists locked bytes, so that a holder
 * whose file was removed or has another name is still found by it.
 */
export function byteOf(name: string, root: string): number {
  return FIRST + Number.parseInt(sha256(`${name}\0${root}`).slice(0, 11), 16);
}

/** Which locks are looked at, and how. */
interface Wanted {
  readonly look: typeof lookAtLocks;
  /** Every lock where there is none. */
  readonly project: string | undefined;
}

/** The locks whose files lie in a folder, and those that are held although their files do not lie there any more. */
export function seeLocks(folder: string, sight: LockSight, { look, project }: Wanted): LockSightings {
  try {
    checkLockFolder(folder);
    const names = namesInOrThrow(folder).filter((name) => name.endsWith(LOCK_ENDING));
    const nameless = lookAtNameless({ folder, names, project }, sight);
    // The file that took the place of one that is held says nothing.
    const listed = look(folder, names, sight).filter(
      (lock) => lock.state === 'held' || !nameless.some((held) => isSame(held, lock)),
    );
    const locks = [...nameless, ...listed];
    return { state: 'seen', locks: project === undefined ? locks : locksOf(project, locks) };
  } catch (error) {
    return toFailed(folder, error);
  }
}

// By another name it may be the same folder.
function locksOf(project: string, locks: readonly LockSighting[]): LockSighting[] {
  const root = rootMark(project);
  return locks.filter(
    (lock) =>
      lock.project === project || (lock.state === 'held' && root !== null && lock.holder?.root === root),
  );
}

function isSame(one: LockSubject, other: LockSubject): boolean {
  return one.name === other.name && one.project === other.project;
}
