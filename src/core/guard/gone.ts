import type { Departed } from '../memory/departed.ts';
import { isSameProcess, type ServerIdentity } from '../sight/identity.ts';
import type { Roll } from '../sight/roll.ts';
import { visible } from '../text/visible.ts';
import { ago } from '../verdict/retention.ts';
import type { GuardedPane } from './guarded.ts';
import type { Cause } from './judge-guarded.ts';
import { fateWithout, type PaneFate } from './pane-fate.ts';

/** A death that was over before anybody watched. */
export interface Death {
  readonly cause: Cause;
  readonly why: string;
  readonly fates: readonly PaneFate[];
}

/** What one look saw, and what the kernel says of servers. */
export interface SeenRoll extends Pick<Roll, 'servers' | 'sessions' | 'at'> {
  /** Whether the very process of a server has ended. That it gave no answer proves nothing. */
  readonly hasEnded: (server: ServerIdentity) => boolean;
}

/** How a session is dead that is known and gone. */
export function deathOfSession(gone: Departed, seen: SeenRoll): Death {
  const fates = gone.panes.map(fateOfGone);
  const lost = lossOfServer(gone.server, seen);
  const session = `session '${visible(gone.name, 200)}' (${gone.sessionId})`;
  if (gone.closed !== undefined) {
    const closed = `rollcall closed it ${ago(seen.at - gone.closed.at)}`;
    const why = `${session} is gone: ${closed}, rollcall reopen ${gone.closed.receipt} puts it back`;
    return { cause: 'session-closed', why, fates };
  }
  const last = `last seen ${ago(seen.at - gone.lastSeenAt)}`;
  if (lost !== null)
    return { cause: lost.cause, why: `${lost.text}, and ${session} with it; ${last}`, fates };
  const why = `${session} is gone${answers(gone.server, seen) ? ' from a server that lives' : ''}; ${last}`;
  const other = seen.sessions.find(
    (one) => one.name === gone.name && one.panes.length > 0 && isSameProcess(one.server, gone.server),
  );
  if (other === undefined) return { cause: 'session-gone', why, fates };
  const replaced = `the session that has its name now (${other.sessionId}) is another one`;
  return { cause: 'session-replaced', why: `${why}; ${replaced}`, fates };
}

/** A pane that is gone, and where it was last known; null where only its number tells that it was there. */
export interface GonePane extends GuardedPane {
  readonly from: Departed | null;
}

/** How panes are dead that are gone, beside those that live. */
export function deathOfPanes(gone: readonly GonePane[], alive: readonly PaneFate[], seen: SeenRoll): Death {
  const fates = [...gone.map(fateOfGone), ...alive];
  const losses = gone.flatMap(({ from }) => (from && lossOfServer(from.server, seen)) ?? []);
  const why = gone.map((one) => whyGone(one, seen)).join('; ');
  return { cause: losses[0]?.cause ?? 'pane-gone', why, fates };
}

function whyGone({ paneId, from }: GonePane, seen: SeenRoll): string {
  if (from === null) {
    return `pane ${paneId} is gone: tmux numbers its panes in order, this server has later ones and not this one`;
  }
  const lost = lossOfServer(from.server, seen);
  const session = `'${visible(from.name, 200)}'`;
  const last = `last seen ${ago(seen.at - from.lastSeenAt)} in session ${session}`;
  return lost === null
    ? `pane ${paneId} is gone; ${last}`
    : `${lost.text}, and pane ${paneId} with it; ${last}`;
}

/** Null where that very server answered, and where its end is not proven: it may hang, or have lost its socket. */
function lossOfServer(
  server: ServerIdentity,
  seen: SeenRoll,
): { readonly cause: Cause; readonly text: string } | null {
  if (answers(server, seen) || !seen.hasEnded(server)) return null;
  const other = seen.servers.find(({ socketPath }) => socketPath === server.socketPath);
  const gone = `tmux server ${server.pid} is gone`;
  if (other === undefined) return { cause: 'server-gone', text: gone };
  return { cause: 'server-replaced', text: `${gone}, another one (${other.pid}) has its socket now` };
}

function answers(server: ServerIdentity, { servers }: SeenRoll): boolean {
  return servers.some((one) => one.socketPath === server.socketPath && isSameProcess(one, server));
}

function fateOfGone({ paneId, pid }: GuardedPane): PaneFate {
  return fateWithout({ paneId, pid }, { state: 'unknown' }, 'closed');
}
