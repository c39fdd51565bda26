import { realpathSync, statSync } from 'node:fs';

/** Whether a folder stands at this path. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Where its links lead to; the path itself where nothing stands there. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
