import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programPath } from '../core/program-path.ts';

/** The absolute path of a program that rollcall may run; null where there is none. */
export function programOnPath(program: string, env: NodeJS.ProcessEnv): string | null {
  for (const folder of programPath(env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not there.
    }
  }
  return null;
}
