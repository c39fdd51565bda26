import { realSocketPath, socketPathOf } from '../../adapters/tmux/find-sockets.ts';
import { ownUid } from './own-user.ts';

/** The socket that `tmux -L LABEL` would use here, spelled as looks spell it. */
export function labelSocket(label: string, env: NodeJS.ProcessEnv): string {
  return realSocketPath(socketPathOf(label, env, ownUid()));
}
