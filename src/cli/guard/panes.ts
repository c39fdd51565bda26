import { deathOfPanes, type SeenRoll } from '../../core/guard/gone.ts';
import type { Departed } from '../../core/memory/departed.ts';
import { identityOf, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import { silentServers } from '../../core/sight/silent-servers.ts';
import { Failure } from '../../operations/failure.ts';
import { requireServers } from '../../operations/look-for.ts';
import { candidate, notFound } from '../../operations/session-named.ts';
import { handlesOf, type Resolved } from './gone.ts';

type Server = Roll['servers'][number];

/** What is known of a pane id on one socket. */
type Known =
  | { readonly state: 'alive'; readonly paneId: string; readonly pid: number; readonly entry: SessionEntry }
  | { readonly state: 'gone'; readonly paneId: string; readonly pid: number; readonly from: Departed }
  /** Only its number tells that it was there. */
  | {
      readonly state: 'gone';
      readonly paneId: string;
      readonly pid: 0;
      readonly from: null;
      readonly server: Server;
    };

/**
 * Panes by their ids, all of one server: one on which each of them lives or was seen, else one whose numbers tell of them.
 * Where several servers fit, an id alone does not tell which is meant: one that lives is not one that died elsewhere.
 */
export function panesNamed(
  roll: Roll & SeenRoll,
  paneIds: readonly string[],
  servers: readonly string[],
): Resolved {
  const ids = [...new Set(paneIds)];
  const sockets = [
    ...new Set(
      [...roll.servers, ...(roll.departed ?? []).map(({ server }) => server)].map((one) => one.socketPath),
    ),
  ];
  const all = sockets.map((socketPath) => ids.map((id) => knownOn(roll, socketPath, id)));
  const whole = all.filter((panes): panes is Known[] => panes.every((pane) => pane !== null));
  // A server that does not answer may hold them.
  const ways = silentServers(roll).length > 0 ? [isAlive] : [isRemembered, () => true];
  const best = ways
    .map((holds) => whole.filter((panes) => panes.every(holds)))
    .find((some) => some.length > 0);
  if (best === undefined) throw unknown(roll, ids, all, servers);
  const [panes = [], ...others] = best;
  if (others.length > 0) throw severalServers(ids, best);
  return resolved(roll, panes);
}

const isAlive = (pane: Known) => pane.state === 'alive';
const isRemembered = (pane: Known) => pane.state === 'alive' || pane.from !== null;

function knownOn(roll: Roll, socketPath: string, paneId: string): Known | null {
  const here = roll.sessions.filter((entry) => entry.server.socketPath === socketPath);
  // A window may be linked into several sessions; the pane is the same in all of them.
  const entry = here.find(({ panes }) => panes.some((pane) => pane.paneId === paneId));
  const pane = entry?.panes.find((one) => one.paneId === paneId);
  if (entry && pane) return { state: 'alive', paneId, pid: pane.pid, entry };
  const from = (roll.departed ?? []).find(
    ({ server, panes }) => server.socketPath === socketPath && panes.some((one) => one.paneId === paneId),
  );
  if (from) {
    const pid = from.panes.find((one) => one.paneId === paneId)?.pid ?? 0;
    return { state: 'gone', paneId, pid, from };
  }
  // tmux never gives a number twice, and gives them in order.
  const server = roll.servers.find((one) => one.socketPath === socketPath);
  const numbers = here.flatMap(({ panes }) => panes.map((one) => numberOf(one.paneId)));
  const isOver = numbers.some((number) => number > numberOf(paneId));
  return server && isOver ? { state: 'gone', paneId, pid: 0, from: null, server } : null;
}

function numberOf(paneId: string): number {
  return Number(paneId.slice(1));
}

function resolved(seen: SeenRoll, panes: readonly Known[]): Resolved {
  const alive = panes.flatMap((pane) => (pane.state === 'alive' ? [pane] : []));
  const gone = panes.flatMap((pane) => (pane.state === 'gone' ? [pane] : []));
  const [first] = alive;
  if (first !== undefined && gone.length === 0) {
    const { entry } = first;
    const guarded = {
      ...{ ...identityOf(entry), name: entry.name, scope: 'panes' as const },
      panes: alive.map(({ paneId, pid }) => ({ paneId, pid })),
    };
    return { state: 'alive', session: entry, name: entry.name, guarded };
  }
  const living = alive.map(({ paneId, pid, entry }) => ({
    ...{ paneId, pid, state: 'alive' as const, exit: null, process: 'unknown' as const },
    sessionId: entry.sessionId,
  }));
  const session =
    gone.flatMap((one) => (one.from ? [handlesOf(one.from)] : []))[0] ?? first?.entry ?? nobody(gone);
  return { state: 'dead', session, name: session.name, death: deathOfPanes(gone, living, seen) };
}

// Of a pane that nobody saw only its server is known.
function nobody(gone: readonly Extract<Known, { state: 'gone' }>[]) {
  const [pane] = gone.flatMap((one) => (one.from === null ? [one] : []));
  const { socketPath = '', label = '', pid = 0 } = pane?.server ?? {};
  return { key: '', name: pane?.paneId ?? '', sessionId: '', server: { socketPath, label, pid } };
}

function severalServers(ids: readonly string[], all: readonly (readonly Known[])[]): Failure {
  const candidates = all.flatMap(([pane]) => {
    if (pane?.state === 'alive') return [candidate(pane.entry)];
    return pane?.from ? [candidate(handlesOf(pane.from))] : [];
  });
  return new Failure('ambiguous', `${ids.join(', ')}: ${all.length} tmux servers have or had such panes`, {
    hint: 'name the server with --server',
    candidates,
  });
}

function unknown(
  roll: Roll,
  ids: readonly string[],
  all: readonly (readonly (Known | null)[])[],
  servers: readonly string[],
): Failure {
  requireServers(roll, servers);
  const missing = ids.find((_, index) => all.every((panes) => panes[index] === null));
  if (missing !== undefined && silentServers(roll).length === 0) {
    return new Failure('not-found', `no pane ${missing} is known`, {
      hint: 'no server has it, and neither an earlier look nor the number of a later pane tells that it was there',
    });
  }
  if (missing !== undefined || silentServers(roll).length > 0) return notFound(roll, ids[0] ?? '', []);
  return new Failure('usage', `the panes ${ids.join(', ')} are on several tmux servers`, {
    hint: 'guard the panes of each server by themselves',
  });
}
