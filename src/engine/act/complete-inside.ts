import { isProcessSeen } from '../../core/sight/identity.ts';
import type { ProcessTable } from '../../core/sight/process.ts';
import { isGone, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import { silentServers } from '../../core/sight/silent-servers.ts';

/** Where a process says it runs: what tmux put into its environment, and its pid. */
export interface Caller {
  readonly socketPath: string;
  readonly serverPid: number;
  /** `$id` of the session in which the pane was made; the pane may have moved since. */
  readonly sessionId: string;
  readonly paneId: string;
  readonly pid: number;
}

export type Inside =
  | { readonly state: 'proven'; readonly entry: SessionEntry }
  | { readonly state: 'several'; readonly entries: readonly SessionEntry[] }
  /** What it says does not fit: the variables were inherited from elsewhere, or are of an earlier server. */
  | { readonly state: 'refused'; readonly text: string }
  /** The server gives no answer. */
  | { readonly state: 'unknown'; readonly text: string };

/** Reads where a process runs from `TMUX` (`socket,server pid,session number`) and `TMUX_PANE`; null outside tmux. */
export function callerIn(env: Readonly<Record<string, string | undefined>>, pid: number): Caller | null {
  const [, socketPath, serverPid, number] = /^(\/.*),(\d+),(\d+)$/s.exec(env.TMUX ?? '') ?? [];
  if (socketPath === undefined || !/^%\d+$/.test(env.TMUX_PANE ?? '')) return null;
  return {
    ...{ socketPath, serverPid: Number(serverPid), sessionId: `$${number}` },
    ...{ paneId: env.TMUX_PANE ?? '', pid },
  };
}

/**
 * The session that a process runs in. The environment only says which pane to look at; that the process really descends
 * from that pane's program is what proves it. tmux itself would answer with an arbitrary session. What runs for a server
 * that is shared (`isShared`) may be anybody's, wherever that server was started.
 */
export function sessionAround(
  caller: Caller,
  roll: Roll,
  table: ProcessTable,
  isShared: (pid: number) => boolean = () => false,
): Inside {
  const { serverPid, paneId } = caller;
  // One elsewhere may have the number of ours, and no process of ours in its panes.
  const onServer = roll.sessions.filter(
    (entry) => entry.server.pid === serverPid && isProcessSeen(entry.server) && !isGone(entry),
  );
  const holders = onServer.filter(({ panes }) => panes.some((pane) => pane.paneId === paneId));
  const [holder, ...others] = holders;
  if (holder === undefined) return missing(caller, roll, onServer.length > 0);
  const pane = holder.panes.find((one) => one.paneId === paneId);
  const path = pane === undefined ? null : pathUp(caller.pid, pane.pid, table);
  if (path === null) {
    const text = `this process does not run in ${paneId} of '${holder.name}', although TMUX_PANE says so`;
    return { state: 'refused', text };
  }
  if (path.some(isShared)) {
    const text = 'this process belongs to a server that works for the agents of several panes';
    return { state: 'refused', text };
  }
  if (others.length === 0) return { state: 'proven', entry: holder };
  // A window may be linked into several sessions; the one it was made in is meant, if it is still among them.
  const made = holders.find(({ sessionId }) => sessionId === caller.sessionId);
  return made ? { state: 'proven', entry: made } : { state: 'several', entries: holders };
}

function missing({ socketPath, serverPid, paneId }: Caller, roll: Roll, isServerThere: boolean): Inside {
  if (silentServers(roll).includes(socketPath)) {
    return { state: 'unknown', text: `no answer from ${socketPath}` };
  }
  const text = isServerThere
    ? `there is no pane ${paneId} on the tmux server at ${socketPath}`
    : `the tmux server with pid ${serverPid} that TMUX names is gone`;
  return { state: 'refused', text };
}

const MOST_ANCESTORS = 200;

/** From the process up to this ancestor; null where it does not descend from it. */
function pathUp(pid: number, ancestor: number, { byPid }: ProcessTable): number[] | null {
  const path: number[] = [];
  let at: number | undefined = pid;
  while (at !== undefined && at > 0 && path.length < MOST_ANCESTORS) {
    path.push(at);
    if (at === ancestor) return path;
    at = byPid.get(at)?.ppid;
  }
  return null;
}
