import { rmSync } from 'node:fs';

const PAUSE_MS = 50;
const MOST_TRIES = 200;

/**
 * Removes a folder in which somebody who was just ended may still make something. rmSync itself only tries to remove a folder
 * again, and not what came into it meanwhile.
 */
export function removeFolder(folder: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries >= MOST_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
