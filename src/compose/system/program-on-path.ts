import { programPath } from '../../core/sight/program-path.ts';
import { findProgram } from './find-program.ts';

/** The absolute path of a program that rollcall may run; null where there is none. */
export function programOnPath(program: string, env: NodeJS.ProcessEnv): string | null {
  return findProgram(program, '/', programPath(env.PATH ?? ''));
}
