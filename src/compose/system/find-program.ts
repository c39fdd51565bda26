import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The absolute path of the program that a word starts in a folder, with a PATH; null where there is none. */
export function findProgram(word: string, cwd: string, path: string | undefined): string | null {
  if (word.includes('/')) return runnable(resolve(cwd, word));
  for (const folder of (path ?? '').split(delimiter)) {
    // An empty or relative entry means the folder that somebody stands in.
    const found = isAbsolute(folder) ? runnable(join(folder, word)) : null;
    if (found !== null) return found;
  }
  return null;
}

function runnable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
}
