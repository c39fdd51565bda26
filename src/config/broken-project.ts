import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Problem } from '../core/sight/roll.ts';
import { tryOr } from '../core/try-or.ts';
import type { ConfigError } from './check-config.ts';

/** A project whose file is wrong: it may have asked for more care, and nobody can tell for how much. */
export interface BrokenProject {
  readonly file: string;
  /** The folder of the file, as it is and as links lead to it. */
  readonly folders: readonly string[];
  /** What is wrong, with the file's name. */
  readonly text: string;
}

/** What the mistakes of a project's file come to; null where there are none. */
export function brokenProject(
  file: string,
  errors: readonly ConfigError[],
): { readonly project: BrokenProject; readonly notice: Problem } | null {
  const [first] = errors;
  if (first === undefined) return null;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const text = `${wordsOf(first)}${more}`;
  return {
    project: { file, folders: foldersOf(file), text },
    notice: {
      code: 'project-config-broken',
      text: `${text}; sessions below ${dirname(file)} are protected`,
      hint: first.hint,
    },
  };
}

/** What is wrong, and where. */
export function wordsOf({ file, key, value, text }: ConfigError): string {
  return key === null ? `${file} ${text}` : `${file}: ${key} = ${value} ${text}`;
}

/** Why sessions in these folders are protected, if they are; a folder that nobody can tell may lie below the project. */
export function protectionIn(project: BrokenProject | undefined, folders: readonly (string | null)[]) {
  if (project === undefined) return undefined;
  const isBelow = (folder: string | null) =>
    folder === null ||
    project.folders.some((root) => `${folder}/`.startsWith(root === '/' ? '/' : `${root}/`));
  return folders.some(isBelow) ? project.text : undefined;
}

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return tryOr([folder], () => [...new Set([folder, realpathSync(folder)])]);
}
