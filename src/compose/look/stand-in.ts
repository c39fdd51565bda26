import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StandInAnswer } from '../../client/ask-stand-in.ts';
import { ownStateFolder } from '../system/own-user.ts';
import { viewOf } from './view.ts';

/** The daemon of this user, which may look in the place of this process; null where none listens. */
export async function composeStandIn(
  env: NodeJS.ProcessEnv,
  written: string,
  version: string,
): Promise<((path: string) => Promise<StandInAnswer>) | null> {
  const socketPath = join(ownStateFolder(env).path, 'rollcall.sock');
  if (!existsSync(socketPath)) return null;
  const { askStandIn } = await import('../../client/ask-stand-in.ts');
  const { TMUX, TMUX_PANE } = env;
  const asker = encodeURIComponent(JSON.stringify({ pid: process.pid, TMUX, TMUX_PANE }));
  const headers = { 'Rollcall-View': viewOf({ env, written, version }), 'Rollcall-Asker': asker };
  return (path) => askStandIn(socketPath, path, headers);
}
