import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programPath } from '../core/program-path.ts';

/** Whether a program is where rollcall looks for those that it runs itself. */
export function isOnPath(program: string, env: NodeJS.ProcessEnv): boolean {
  return programPath(env.PATH ?? '')
    .split(delimiter)
    .some((folder) => {
      try {
        accessSync(join(folder, program), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
