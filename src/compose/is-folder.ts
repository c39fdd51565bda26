import { statSync } from 'node:fs';

/** Whether a folder stands at this path. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
