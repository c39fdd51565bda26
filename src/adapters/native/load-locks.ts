import { createRequire } from 'node:module';

/** Locks on open files that the kernel releases when the last descriptor of them is closed. */
export interface NativeLocks {
  /** Takes a lock without waiting; false when another open file holds it. Without a range it covers the whole file. */
  tryLock(file: number, offset?: number, length?: number, options?: { readonly shared: boolean }): boolean;
}

let loaded: NativeLocks | Error | undefined;

/** Loads the package at the first use: it takes some 20 ms, and what failed once fails again. */
export function loadLocks(): NativeLocks {
  if (loaded === undefined) {
    try {
      loaded = createRequire(import.meta.url)('fs-native-extensions') as NativeLocks;
    } catch (error) {
      loaded = error as Error;
    }
  }
  if (loaded instanceof Error) throw loaded;
  return loaded;
}
