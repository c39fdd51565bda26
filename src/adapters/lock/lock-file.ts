import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { loadNative } from '../native/load-native.ts';
import { LockError, moveAway } from './lock-failure.ts';

/** Whoever locks this byte has the lock. Nobody ever locks it just to look. */
export const LOCK_BYTE = 0;
/** Locked by the holder too, for those who look: a look locks it shared for a moment, and so is in no taker's way. */
const SIGN_BYTE = 2;

/** Opens the file and takes the lock, or gives null at once when another has it. */
export function takeLockFile(path: string): number | null {
  for (let round = 0; round < ROUNDS; round += 1) {
    const descriptor = openLockFile(path, constants.O_RDWR | constants.O_CREAT);
    try {
      if (!tryLock(descriptor)) {
        closeSync(descriptor);
        return null;
      }
      // Somebody may have tidied the file away between opening and locking: a lock on that file would be ours alone.
      if (isThatFile(path, descriptor)) return descriptor;
      closeSync(descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }
  throw new LockError(path, 'it was replaced again and again', 'see what removes files there');
}

/** Shows to those who look that the lock is held. */
export function showLocked(descriptor: number): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (tryLockByte(descriptor, SIGN_BYTE, 'exclusive')) return;
    pause();
  }
  // A look that was stopped in the middle: the lock is held all the same, only less visibly so.
}

/** Locks the byte that tells what the lock is about, in a file that is locked already. */
export function tellSubject(descriptor: number, byte: number): void {
  tryLockByte(descriptor, byte, 'exclusive');
}

/** Whether the lock is held, without taking it. */
export function isLocked(path: string): boolean {
  const descriptor = openLockFile(path, constants.O_RDONLY);
  try {
    return !tryLockByte(descriptor, SIGN_BYTE, 'shared');
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a lock file, follows no link, waits for no fifo, and refuses what is not an own regular file. */
export function openLockFile(path: string, flags: number): number {
  const descriptor = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  const entry = fstatSync(descriptor);
  const own = process.getuid?.() ?? entry.uid;
  if (entry.isFile() && entry.uid === own) return descriptor;
  closeSync(descriptor);
  throw new LockError(
    path,
    entry.isFile() ? `it belongs to user ${entry.uid}, not to ${own}` : 'it is not a regular file',
    moveAway(path),
  );
}

/** On macOS a lock covers the whole file, so that a look can be in the way for a moment. */
function tryLock(descriptor: number): boolean {
  const rounds = process.platform === 'linux' ? 1 : ROUNDS;
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) pause();
    if (tryLockByte(descriptor, LOCK_BYTE, 'exclusive')) return true;
  }
  return false;
}

function isThatFile(path: string, descriptor: number): boolean {
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const held = fstatSync(descriptor, { bigint: true });
  return there !== undefined && there.ino === held.ino && there.dev === held.dev;
}

const ROUNDS = 20;

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

/**
 * Locks one byte of an open file without waiting; false when another open file holds it. The lock belongs to the open
 * file, not to the process: children that inherit the descriptor hold it too, and the kernel frees it with the last.
 */
function tryLockByte(descriptor: number, byte: number, kind: 'exclusive' | 'shared'): boolean {
  return loadNative().tryLock(descriptor, byte, 1, { shared: kind === 'shared' });
}
