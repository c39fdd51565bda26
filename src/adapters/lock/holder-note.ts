import { closeSync, constants, ftruncateSync, readSync, writeSync } from 'node:fs';
import { type LockHolder, parseHolder, toHolderLine } from '../../core/lock/holder.ts';
import { openLockFile } from './lock-file.ts';

/** Far more than a holder writes about itself. */
const MOST_BYTES = 64 * 1024;

/** Writes down who holds the lock: first the new line, then away with what an older one left behind it. */
export function writeHolder(descriptor: number, holder: LockHolder): void {
  const bytes = Buffer.from(toHolderLine(holder));
  writeSync(descriptor, bytes, 0, bytes.length, 0);
  ftruncateSync(descriptor, bytes.length);
}

/** What the last holder wrote; null where nothing readable is there. */
export function readHolder(path: string): LockHolder | null {
  const descriptor = openLockFile(path, constants.O_RDONLY);
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    return parseHolder(bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, MOST_BYTES, 0)));
  } finally {
    closeSync(descriptor);
  }
}
