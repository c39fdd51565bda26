import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PROJECT_FILE = '.rollcall.json';

/**
 * The nearest project file from `cwd` up to the repository's root or home. Outside both only `cwd` itself is looked
 * at: further up lie folders such as /tmp where anyone may put a file.
 */
export function findProjectFile(cwd: string, home: string): string | null {
  const folders = foldersUpTo(cwd, new Set([home, realPath(home)]));
  return folders.map((folder) => join(folder, PROJECT_FILE)).find(isThere) ?? null;
}

function foldersUpTo(cwd: string, homes: ReadonlySet<string>): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (homes.has(folder) || existsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

// A dangling link or an unreadable folder counts as there: reading it then says what is wrong, instead of nothing.
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
