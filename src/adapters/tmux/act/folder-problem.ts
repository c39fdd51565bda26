import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { visible } from '../../../core/text/visible.ts';

/** Why nothing can be started in a folder, or null. tmux does not say: it silently takes another one. */
export function folderProblem(folder: string): string | null {
  const name = visible(folder, 500);
  if (!isAbsolute(folder) || folder.includes('\0')) return `not an absolute path: ${name}`;
  try {
    if (!statSync(folder).isDirectory()) return `not a folder: ${name}`;
    accessSync(folder, constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? `no such folder: ${name}` : `folder that cannot be entered: ${name} (${code})`;
  }
}
