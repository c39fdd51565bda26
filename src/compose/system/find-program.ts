import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { programPath } from '../../core/sight/program-path.ts';

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

/** The absolute path of a program that rollcall may run; null where there is none. */
export function programOnPath(program: string, env: NodeJS.ProcessEnv): string | null {
  return findProgram(program, '/', programPath(env.PATH ?? ''));
}

/** Whether a folder stands at this path. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Where its links lead to; the path itself where nothing stands there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What is started to ask rollcall later, by hooks and by sleepers: this very program, on this very Node.js. */
export function ownProgram(): { readonly node: string; readonly program: string } {
  const [, program = ''] = process.argv;
  return { node: process.execPath, program: realPath(program) };
}
