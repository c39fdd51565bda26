import { closeSync, constants, openSync } from 'node:fs';
import { loadNative } from '../native/load-native.ts';

/** A lock on a file that the kernel releases when the process ends, however it ends. */
export type FileLock =
  | { readonly state: 'held'; release(): void }
  | { readonly state: 'busy' }
  | { readonly state: 'failed'; readonly text: string };

/** Asks for the lock, and never waits for it. The file stays when it is released: removing it would split the lock. */
export function tryLockFile(path: string): FileLock {
  let file: number | undefined;
  try {
    const { tryLock } = loadNative();
    const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
    file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    const held = file;
    // Closing the only descriptor of it is what releases it.
    if (tryLock(held)) return { state: 'held', release: () => closeSync(held) };
    closeSync(held);
    return { state: 'busy' };
  } catch (error) {
    if (file !== undefined) closeSync(file);
    return { state: 'failed', text: (error as Error).message.split('\n', 1)[0] ?? '' };
  }
}
