import { markLife } from '../lock/life.ts';
import { isProcessSeen, isSameProcess, type ServerIdentity } from '../sight/identity.ts';
import type { ProcessTable } from '../sight/process.ts';
import { isGone, isUnheard, type Roll, type SessionEntry } from '../sight/roll.ts';

/** Where a session is: seen, exactly gone, or nobody can tell. */
export type Whereabouts =
  | { readonly state: 'there'; readonly entry: SessionEntry }
  | { readonly state: 'gone' }
  | { readonly state: 'unknown'; readonly text: string };

/**
 * Gone is said only where the server that held it answers without it, or where that server's process is gone: a server
 * that gives no answer may hold it still.
 */
export function whereaboutsOf(
  session: { readonly key: string; readonly server: ServerIdentity },
  roll: Roll,
  table: ProcessTable,
): Whereabouts {
  const { key, server } = session;
  const entry = roll.sessions.find((one) => one.key === key && !isGone(one));
  if (entry !== undefined && !isUnheard(entry)) return { state: 'there', entry };
  // A server whose process was never seen may be beyond what is seen from here.
  if (isProcessSeen(server) && markLife(server, table) === 'gone') return { state: 'gone' };
  return roll.servers.some((one) => isSameProcess(one, server))
    ? { state: 'gone' }
    : { state: 'unknown', text: `the tmux server (pid ${server.pid}) does not answer` };
}
