import { programPath } from '../../core/sight/program-path.ts';

let given: { readonly path: string | undefined } | null = null;

/**
 * Takes the entries out of this process's PATH that mean the folder in which somebody stands, for every program that rollcall
 * runs on its own account. Called once, at the start.
 */
export function keepToProgramPath(env: NodeJS.ProcessEnv): void {
  given = { path: env.PATH };
  env.PATH = programPath(env.PATH);
}

/** The environment with the PATH that the user gave: for what the user starts through rollcall. */
export function withUserPath(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (given === null) return env;
  const { PATH: _own, ...rest } = env;
  return given.path === undefined ? rest : { ...rest, PATH: given.path };
}
