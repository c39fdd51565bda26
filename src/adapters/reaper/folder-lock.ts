import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { loadNative } from '../native/load-native.ts';

const WAIT_MS = 5;
const ROUNDS = 400;

/** Does the work while no other process does any in this file's name. The kernel frees the lock, whatever ends the process. */
export function underLock<T>(path: string, work: () => T): T {
  const descriptor = take(path);
  try {
    return work();
  } finally {
    closeSync(descriptor);
  }
}

function take(path: string): number {
  for (let round = 0; round < ROUNDS; round += 1) {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const descriptor = openSync(path, flags, 0o600);
    if (isOurs(path, descriptor) && loadNative().tryLock(descriptor) && isThatFile(path, descriptor)) {
      return descriptor;
    }
    closeSync(descriptor);
    Atomics.wait(PAUSE, 0, 0, WAIT_MS);
  }
  throw new Error(`${path}: another process holds it and does not let go`);
}

function isOurs(path: string, descriptor: number): boolean {
  const entry = fstatSync(descriptor);
  if (entry.isFile() && entry.uid === (process.getuid?.() ?? entry.uid)) return true;
  closeSync(descriptor);
  throw new Error(`${path}: it is not a file of this user's own`);
}

// Somebody may have tidied it away between opening and locking: a lock on that file would be ours alone.
function isThatFile(path: string, descriptor: number): boolean {
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const held = fstatSync(descriptor, { bigint: true });
  return there !== undefined && there.ino === held.ino && there.dev === held.dev;
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
