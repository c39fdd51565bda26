import { join, relative, sep } from 'node:path';
import type { HookProblem } from '../../ports/hook-config.ts';
import { resolvedPath } from '../files/user-file.ts';

/** The file that is really written, where a link below `base` leads elsewhere; null where none does. */
export function leadsTo(path: string, base: string | null): string | null {
  if (base === null) return null;
  const real = resolvedPath(path);
  return real === join(resolvedPath(base), relative(base, path)) ? null : real;
}

/** Why a file of a repository is left alone: a link that somebody put there would have rollcall write outside of it. */
export function objectionToLink(path: string, repository: string): HookProblem | null {
  const real = resolvedPath(path);
  if (real.startsWith(resolvedPath(repository) + sep)) return null;
  return {
    file: path,
    line: null,
    text: `a link leads out of the repository, to ${real}`,
    hint: 'if that file is meant, say --follow-links',
  };
}
