import { declaredOf } from './declared.ts';
import { heldUpBy } from './held-up.ts';
import type { ServerIdentity } from './identity.ts';
import type { SessionFacts } from './ledger/current-facts.ts';
import type { Moment } from './moment.ts';
import { isGone, type SessionEntry } from './roll.ts';

/** A session as far as its panes tell; its server gives no id of a pane twice. */
interface Showing {
  readonly panes: readonly { readonly paneId: string; readonly pid: number }[];
}

/**
 * The session that shows the pane which another one was started with, still with the same process: whoever runs another
 * program in it makes it theirs. All sessions have to be of the server that it was started on.
 */
export function shownIn<S extends Showing>({ origin }: SessionFacts, sessions: readonly S[]): S | undefined {
  const own = origin?.pane;
  if (own === undefined) return undefined;
  return sessions.find(({ panes }) =>
    panes.some(({ paneId, pid }) => paneId === own.paneId && pid === own.pid),
  );
}

/** Where a session goes on that has none of its own any more; null where it does not, or nobody can tell. */
export function movedTo(
  facts: SessionFacts,
  sessions: readonly SessionEntry[],
): { readonly entry: SessionEntry; readonly text: string } | null {
  const { key, origin } = facts;
  const isNear = (entry: SessionEntry) => entry.key !== key && !isGone(entry) && isOn(facts, entry.server);
  const entry = shownIn(facts, sessions.filter(isNear));
  return entry ? { entry, text: `its pane ${origin?.pane?.paneId} is in another session now` } : null;
}

/** Whose panes a session of one server may show, by pane and process. */
export type Owners = ReadonlyMap<string, SessionFacts>;

/** The sessions in care that were started on a server, by the pane of each. */
export function ownersOn(server: ServerIdentity, facts: Iterable<SessionFacts>): Owners {
  const owners = new Map<string, SessionFacts>();
  for (const one of facts) {
    const { origin, closed, reopened } = one;
    const isOver = closed !== null || reopened !== null;
    if (origin?.pane && !isOver && isOn(one, server)) owners.set(paneWord(origin.pane), one);
  }
  return owners;
}

/** A hold on a session by what was declared of another one whose pane it shows: nobody took that back. */
export function guestHold(
  key: string,
  { panes }: Showing,
  owners: Owners,
  now: Moment,
): { readonly held?: { readonly at: number; readonly reason: string } } {
  for (const pane of panes) {
    const guest = owners.get(paneWord(pane));
    const [why] = guest && guest.key !== key ? heldUpBy(declaredOf(guest), now) : [];
    if (!guest || !why) continue;
    const reason = `its pane ${pane.paneId} is that of session ${guest.name}: ${why.text}`;
    return { held: { at: why.observedAt, reason } };
  }
  return {};
}

function isOn({ origin }: SessionFacts, { pid, startTicks }: Omit<ServerIdentity, 'socketPath'>): boolean {
  const server = origin?.place?.server;
  return server?.pid === pid && server.startTicks === startTicks;
}

function paneWord({ paneId, pid }: Showing['panes'][number]): string {
  return `${paneId} ${pid}`;
}
