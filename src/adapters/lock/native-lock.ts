import { loadNative } from '../native/load-native.ts';

/**
 * Locks one byte of an open file without waiting; false when another open file holds it. The lock belongs to the open
 * file, not to the process: children that inherit the descriptor hold it too, and the kernel frees it with the last.
 */
export function tryLockByte(descriptor: number, byte: number, kind: 'exclusive' | 'shared'): boolean {
  return loadNative().tryLock(descriptor, byte, 1, { shared: kind === 'shared' });
}
