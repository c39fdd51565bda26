import { userInfo } from 'node:os';
import { openStateFolder, type StateFolder } from '../../adapters/state/state-folder.ts';
import { realSocketPath, socketPathOf } from '../../adapters/tmux/find-sockets.ts';
import { programPath } from '../../core/sight/program-path.ts';

export const ownUid = (): number => process.getuid?.() ?? 0;

/** Where rollcall keeps what it remembers of this user's sessions. */
export function ownStateFolder(env: NodeJS.ProcessEnv): StateFolder {
  return openStateFolder({ env, uid: ownUid() });
}

// A user without an entry in the system's list, as in many containers, has no name.
export function userName(env: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER ?? String(process.getuid?.() ?? '');
  }
}

/** The socket that `tmux -L LABEL` would use here, spelled as looks spell it. */
export function labelSocket(label: string, env: NodeJS.ProcessEnv): string {
  return realSocketPath(socketPathOf(label, env, ownUid()));
}

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
