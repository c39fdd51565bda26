import { type Dirent, readdirSync, statSync } from 'node:fs';
import { tryOr } from '../../../core/try-or.ts';
import type { ConversationSight } from '../../../ports/agent.ts';

/** No conversation has more files. */
const MAX_FILES = 2000;
const MAX_DEPTH = 5;

/** Every regular file below a folder, by its path. Follows no link; what cannot be read is left out. */
export function filesBelow(folder: string): string[] {
  const found: string[] = [];
  const visit = (at: string, left: number): void => {
    for (const entry of entriesIn(at)) {
      const path = `${at}/${entry.name}`;
      if (entry.isFile() && found.length < MAX_FILES) found.push(path);
      if (entry.isDirectory() && left > 0) visit(path, left - 1);
    }
  };
  visit(folder, MAX_DEPTH);
  return found.sort();
}

function entriesIn(path: string): Dirent[] {
  return tryOr([], () => readdirSync(path, { withFileTypes: true }));
}

/** When a file was last written; null where there is none. */
export function writtenAt(path: string): number | null {
  return tryOr(null, () => statSync(path).mtimeMs);
}

/** The folder that an agent's own variable names, or one below its HOME; null where that depends on where it was started. */
export function agentFolder(env: NodeJS.ProcessEnv, variable: string, below: string): string | null {
  const [own, home] = [env[variable], env.HOME];
  const folder = own || (home && `${home.replace(/\/+$/, '')}/${below}`);
  return folder?.startsWith('/') ? folder.replace(/(?<=.)\/+$/, '') : null;
}

/** The folders in a folder, by their paths. */
export function foldersIn(path: string): string[] {
  return entriesIn(path).flatMap((entry) => (entry.isDirectory() ? [`${path}/${entry.name}`] : []));
}

/** What is seen of a conversation that has no such file. */
export function nothingKept(what: string, folder: string | null): ConversationSight {
  return {
    lacks: `it has no ${what}${folder === null ? '' : ` below ${folder}`}`,
    files: [],
    deletedAt: null,
  };
}
