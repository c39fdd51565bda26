import { closeSync, unlinkSync } from 'node:fs';
import { takeLockFile } from './lock-file.ts';

/**
 * Takes a lock that is nobody's to look at, and gives back how to leave it; null when another has it. Its file goes with
 * it: a taker that has opened it meanwhile finds another one at that path, or none, and asks again.
 */
export function takeTurn(path: string): (() => void) | null {
  const descriptor = takeLockFile(path);
  if (descriptor === null) return null;
  return () => {
    try {
      unlinkSync(path);
    } catch {
      // Somebody has tidied up.
    }
    closeSync(descriptor);
  };
}
