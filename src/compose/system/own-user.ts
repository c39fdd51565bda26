import { userInfo } from 'node:os';
import { openStateFolder, type StateFolder } from '../../adapters/state/state-folder.ts';
import { realSocketPath, socketPathOf } from '../../adapters/tmux/socket-path.ts';

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
