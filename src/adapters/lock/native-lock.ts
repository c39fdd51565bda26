import { createRequire } from 'node:module';

/**
 * Locks one byte of an open file without waiting; false when another open file holds it. The lock belongs to the open
 * file, not to the process: children that inherit the descriptor hold it too, and the kernel frees it with the last.
 */
export function tryLockByte(descriptor: number, byte: number, kind: 'exclusive' | 'shared'): boolean {
  return loadNative().tryLock(descriptor, byte, 1, { shared: kind === 'shared' });
}

interface Native {
  tryLock(descriptor: number, offset: number, length: number, options: { shared: boolean }): boolean;
}

let native: Native | Error | undefined;

// Loading it takes some 20 ms, and what failed once fails again.
function loadNative(): Native {
  if (native === undefined) {
    try {
      native = createRequire(import.meta.url)('fs-native-extensions') as Native;
    } catch (error) {
      native = error as Error;
    }
  }
  if (native instanceof Error) throw native;
  return native;
}
