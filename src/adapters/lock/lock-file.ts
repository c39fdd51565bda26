import { constants, ftruncateSync, writeSync } from 'node:fs';
import { type LockHolder, parseHolder, toHolderLine } from '../../core/lock/holder.ts';
import { LOCK_ROUNDS, pause, takeLockFile as takeFile, tryLockByte } from '../files/lock-file.ts';
import { type OwnFileFault, openOwnFile, readAt, withFile } from '../files/own-file.ts';
import { LockError, moveAway } from './lock-failure.ts';

/** Whoever locks this byte has the lock. Nobody ever locks it just to look. */
export const LOCK_BYTE = 0;
/** Locked by the holder too, for those who look: a look locks it shared for a moment, and so is in no taker's way. */
const SIGN_BYTE = 2;
const LOOK_MS = 5;
/** Far more than a holder writes about itself. */
const MOST_BYTES = 64 * 1024;

/** Opens the file and takes the lock, or gives null at once when another has it. */
export function takeLockFile(path: string): number | null {
  return takeFile(path, { byte: LOCK_BYTE, refuse });
}

/** Shows to those who look that the lock is held. */
export function showLocked(descriptor: number): void {
  for (let round = 0; round < LOCK_ROUNDS; round += 1) {
    if (tryLockByte(descriptor, SIGN_BYTE)) return;
    pause(LOOK_MS);
  }
  // A look that was stopped in the middle: the lock is held all the same, only less visibly so.
}

/** Whether the lock is held, without taking it. */
export function isLocked(path: string): boolean {
  return looking(path, (file) => !tryLockByte(file, SIGN_BYTE, 'shared'));
}

/** Writes down who holds the lock: first the new line, then away with what an older one left behind it. */
export function writeHolder(descriptor: number, holder: LockHolder): void {
  const bytes = Buffer.from(toHolderLine(holder));
  writeSync(descriptor, bytes, 0, bytes.length, 0);
  ftruncateSync(descriptor, bytes.length);
}

/** What the last holder wrote; null where nothing readable is there. */
export function readHolder(path: string): LockHolder | null {
  return looking(path, holderIn);
}

/** The same of a file that is open. */
export function holderIn(file: number): LockHolder | null {
  return parseHolder(readAt(file, MOST_BYTES, 0).toString('utf8'));
}

function looking<T>(path: string, look: (file: number) => T): T {
  return withFile(openOwnFile(path, constants.O_RDONLY, { refuse }).file, look);
}

function refuse(path: string, text: string, fault: OwnFileFault): LockError {
  const whole = fault === 'owner' ? `${text}, not to ${process.getuid?.()}` : text;
  return new LockError(path, whole, fault === 'unsteady' ? 'see what removes files there' : moveAway(path));
}
