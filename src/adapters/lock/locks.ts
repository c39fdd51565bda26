import { closeSync, lstatSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockHolder } from '../../core/lock/holder.ts';
import { holderLife } from '../../core/lock/life.ts';
import type { LockSighting } from '../../core/lock/sighting.ts';
import { type LockSubject, lockFileName, subjectIdentity } from '../../core/lock/subject.ts';
import type { ProcessMark } from '../../core/sight/identity.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Hold, LockClaim, LockOutcome, Locks, LockWaiting } from '../../ports/lock.ts';
import { sha256 } from '../files/digest.ts';
import { isThatFile, pause, tryLockByte } from '../files/lock-file.ts';
import {
  checkLockFolder,
  type FileSystemType,
  fileSystemType,
  openLockFolder,
  toFailed,
} from './lock-failure.ts';
import { isLocked, readHolder, showLocked, takeLockFile, writeHolder } from './lock-file.ts';
import { type LockSight, lookAtHeldLocks, lookAtLocks } from './look-at-locks.ts';
import { byteOf, isHeldElsewhere, lookAtNameless, rootMark, seeLocks } from './nameless-locks.ts';
import { readProcessStat } from './process-stat.ts';

export interface LocksOptions extends LockSight {
  /** Where the lock files lie, inside a state folder that was found to be the user's own. */
  readonly folder: string;
  readonly now: () => number;
  readonly fileSystemType?: FileSystemType;
}

/** Locks in files of one folder. The files stay: what counts is only who has them locked. */
export function createLocks(options: LocksOptions): Locks {
  const { folder, now } = options;
  const typeOf = options.fileSystemType ?? fileSystemType;
  let isOpen = false;

  const fileOf = (subject: LockSubject) =>
    lockFileName(subject, sha256(subjectIdentity(subject)).slice(0, 16));

  const attempt = (subject: LockSubject, claim: LockClaim): Hold | null => {
    // Somebody may have removed it since it was opened.
    if (!isOpen || lstatSync(folder, { throwIfNoEntry: false }) === undefined) openLockFolder(folder, typeOf);
    isOpen = true;
    const file = join(folder, fileOf(subject));
    const descriptor = takeLockFile(file);
    if (descriptor === null) return null;
    try {
      const root = rootOf(subject);
      if (root !== null && isTakenElsewhere(descriptor, subject, root)) {
        closeSync(descriptor);
        return null;
      }
      return announce(file, descriptor, { ...subject, root }, claim);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  };

  const isAboutFolder = ({ project }: LockSubject) => isAbsolute(project ?? '');
  // What is about no folder, as a session is, has its byte with all that is about the account.
  const rootOf = (subject: LockSubject) =>
    rootMark(isAboutFolder(subject) ? (subject.project as string) : dirname(folder));

  // Lock first, look afterwards: of two who do so at once, at least one sees the other.
  const isTakenElsewhere = (descriptor: number, subject: LockSubject, root: string): boolean => {
    const isNamed = subject.project === null || isAboutFolder(subject);
    const byte = byteOf(isNamed ? subject.name : subjectIdentity(subject), root);
    // The byte that tells what the lock is about.
    tryLockByte(descriptor, byte);
    return isHeldElsewhere(descriptor, byte, options);
  };

  const announce = (
    file: string,
    descriptor: number,
    subject: LockSubject & { readonly root: string | null },
    claim: LockClaim,
  ): Hold => {
    const own = { pid: process.pid, startTicks: startTicksOf(process.pid) };
    const { bootId, pidNamespace } = options.host();
    let holder: LockHolder = {
      ...own,
      ...(pidNamespace !== undefined && { pidNamespace }),
      ...{ bootId, since: now(), task: claim.task, argv: claim.argv },
      ...{ name: subject.name, project: subject.project, runner: null },
      ...(subject.root !== null && { root: subject.root }),
    };
    // Written before it is shown, so that whoever sees the lock held can read by whom.
    writeHolder(descriptor, holder);
    showLocked(descriptor);
    let isReleased = false;
    return {
      file,
      descriptor,
      noteRunner(pid) {
        const runner: ProcessMark = { pid, startTicks: startTicksOf(pid) };
        holder = { ...holder, runner };
        writeHolder(descriptor, holder);
      },
      isInPlace: () => !isReleased && tryOr(false, () => isThatFile(file, descriptor)),
      release() {
        if (!isReleased) closeSync(descriptor);
        isReleased = true;
      },
    };
  };

  const startTicksOf = (pid: number): number =>
    readProcessStat(pid)?.startTicks ?? options.processes.sense().byPid.get(pid)?.startTicks ?? 0;

  const sightingOf = (subject: LockSubject): LockSighting => {
    const name = fileOf(subject);
    const file = join(folder, name);
    const [seen] = lookAtLocks(folder, [name], options);
    if (seen?.state !== 'held') {
      const root = rootOf(subject);
      const scope = { folder, names: [name], project: subject.project ?? undefined, wanted: subject.name };
      const nameless = lookAtNameless(scope, options).find(
        (lock) =>
          lock.name === subject.name &&
          (lock.holder !== null && isAboutFolder(subject)
            ? lock.holder.root === root
            : lock.project === subject.project),
      );
      if (nameless !== undefined) return nameless;
    }
    const unseen = { file, state: 'free', holder: null, holderLife: null, heldBy: [] } as const;
    return { ...(seen ?? unseen), ...subject };
  };

  const tryLock = (subject: LockSubject, claim: LockClaim): LockOutcome => {
    try {
      // A lock that was refused may be free by the time its holder is looked for; a few rounds make both answers agree.
      for (let round = 0; ; round += 1) {
        const hold = attempt(subject, claim);
        if (hold !== null) return { state: 'held', hold };
        const by = sightingOf(subject);
        if ((by.state === 'held' && by.holderLife !== 'gone') || round === LAST_ROUND) {
          return { state: 'busy', by: { ...by, state: 'held' } };
        }
        if (by.state === 'held') pause(HESITATION_MS);
      }
    } catch (error) {
      return toFailed(folder, error);
    }
  };

  const waitForLock = async (
    subject: LockSubject,
    claim: LockClaim,
    { timeoutMs, onWait, tellEveryMs = 10_000 }: LockWaiting,
  ): Promise<LockOutcome> => {
    const startedAt = performance.now();
    let tellAt = startedAt;
    try {
      for (let round = 0; ; round += 1) {
        const waitedMs = performance.now() - startedAt;
        if (waitedMs >= timeoutMs) return tryLock(subject, claim);
        const hold = attempt(subject, claim);
        if (hold !== null) return { state: 'held', hold };
        if (onWait && performance.now() >= tellAt) {
          tellAt += tellEveryMs;
          const by = sightingOf(subject);
          if (by.state === 'held') onWait(by, waitedMs);
        }
        const pauseMs = Math.min(FIRST_PAUSE_MS * 1.5 ** round, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
        await sleep(Math.max(1, Math.min(pauseMs, timeoutMs - waitedMs)));
      }
    } catch (error) {
      return toFailed(folder, error);
    }
  };

  return {
    tryLock,
    waitForLock,
    sightings: (project) => seeLocks(folder, options, { look: lookAtLocks, project }),
    holderOf: (subject) => seeHolder(folder, fileOf(subject), options),
    heldNow: () => seeLocks(folder, options, { look: lookAtHeldLocks, project: undefined }),
  };
}

const LAST_ROUND = 3;
const HESITATION_MS = 15;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/** Who took a lock, by its note, where its file shows that it is held and that process lives; null wherever more is to be told. */
function seeHolder(folder: string, name: string, sight: LockSight): LockHolder | null {
  const path = join(folder, name);
  return tryOr(null, () => {
    checkLockFolder(folder);
    const holder = isLocked(path) ? readHolder(path) : null;
    if (holder === null) return null;
    const here = { ...sight.host(), table: sight.processes.sense() };
    return holderLife(holder, here) === 'alive' ? holder : null;
  });
}
