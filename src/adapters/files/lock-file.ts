import { closeSync, constants, fstatSync, lstatSync } from 'node:fs';
import { loadNative } from '../native/load-native.ts';
import { type OwnFileTerms, openOwnFile, refusal, withFile } from './own-file.ts';
import { removeQuietly } from './replace-file.ts';

/** How often a file that is tidied away meanwhile is opened again, or a look that is in the way is waited for. */
export const LOCK_ROUNDS = 20;

interface LockTerms extends Pick<OwnFileTerms, 'refuse'> {
  /** The one byte whose lock counts; the whole file unless told. */
  readonly byte?: number;
}

/**
 * Opens a lock file and takes the lock; null at once if another has it. The lock is freed when the descriptor is closed,
 * or by the kernel when the process ends. The file stays: removing it would split the lock.
 */
export function takeLockFile(path: string, terms: LockTerms = {}): number | null {
  for (let round = 0; round < LOCK_ROUNDS; round += 1) {
    const { file } = openOwnFile(path, constants.O_RDWR | constants.O_CREAT, terms);
    try {
      if (!tryLock(file, terms.byte)) {
        closeSync(file);
        return null;
      }
      if (isThatFile(path, file)) return file;
      closeSync(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }
  throw refusal(path, { text: 'it was replaced again and again', fault: 'unsteady' }, terms);
}

/**
 * Takes a lock that nobody looks at, and returns what releases it; null when another has it. Its file is removed with
 * it: a taker that has opened it meanwhile finds another file at that path, or none, and asks again.
 */
export function takeTurn(path: string): (() => void) | null {
  const file = takeLockFile(path);
  if (file === null) return null;
  return () => {
    removeQuietly(path);
    closeSync(file);
  };
}

/** Does the work under a lock, and waits up to two seconds for it. */
export function underLock<T>(path: string, work: () => T, terms: LockTerms = {}): T {
  for (let round = 0; round < WAIT_ROUNDS; round += 1) {
    const file = takeLockFile(path, terms);
    if (file === null) {
      pause(WAIT_MS);
      continue;
    }
    return withFile(file, work);
  }
  throw new Error(`${path}: another process holds it and does not let go`);
}

const WAIT_MS = 5;
const WAIT_ROUNDS = 400;

/**
 * Locks one byte of an open file without waiting; false when another open file holds it. The lock belongs to the open
 * file, not to the process: children that inherit the descriptor hold it too, and the kernel frees it with the last.
 */
export function tryLockByte(file: number, byte: number, kind: 'exclusive' | 'shared' = 'exclusive'): boolean {
  return loadNative().tryLock(file, byte, 1, { shared: kind === 'shared' });
}

/** On macOS a lock covers the whole file, so that a look can be in the way for a moment. */
function tryLock(file: number, byte: number | undefined): boolean {
  const rounds = process.platform === 'linux' ? 1 : LOCK_ROUNDS;
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) pause(WAIT_MS);
    if (byte === undefined ? loadNative().tryLock(file) : tryLockByte(file, byte)) return true;
  }
  return false;
}

/** Somebody may have tidied it away since it was opened: a lock on that file would be ours alone. */
export function isThatFile(path: string, file: number): boolean {
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const held = fstatSync(file, { bigint: true });
  return there !== undefined && there.ino === held.ino && there.dev === held.dev;
}

/** Waits without letting anything else of this process run. */
export function pause(ms: number): void {
  Atomics.wait(PAUSE, 0, 0, ms);
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
