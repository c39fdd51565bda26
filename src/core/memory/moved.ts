import type { OwnPane, SessionFacts } from '../ledger/current-facts.ts';
import { isSameProcess, type ProcessMark, type ServerIdentity } from '../sight/identity.ts';
import { isGone, type SessionEntry } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import { declaredOf } from '../verdict/declared.ts';
import { heldUpBy } from './held-up.ts';

/** A session as far as its panes tell; its server gives no id of a pane twice. */
interface Showing {
  readonly panes: readonly { readonly paneId: string; readonly pid: number; readonly isDead?: boolean }[];
}

/**
 * The session that shows the pane which another one was started with, still with the same process: whoever runs another
 * program in it makes it theirs. All sessions have to be of the server that it was started on.
 */
export function shownIn<S extends Showing>({ origin }: SessionFacts, sessions: readonly S[]): S | undefined {
  return origin?.pane && showing(origin.pane, sessions);
}

function showing<S extends Showing>(own: OwnPane, sessions: readonly S[]): S | undefined {
  return sessions.find(({ panes }) =>
    panes.some(({ paneId, pid, isDead }) => paneId === own.paneId && pid === own.pid && !isDead),
  );
}

/** A pane that rollcall started, and the process of its server. */
export interface PlacedPane extends OwnPane {
  readonly server: ProcessMark;
}

/** Where a session goes on. */
export interface Moved {
  readonly entry: SessionEntry;
  readonly text: string;
}

/** The session that shows a pane which rollcall started; null where none does. */
export function paneIn(own: PlacedPane, sessions: readonly SessionEntry[]): Moved | null {
  const near = sessions.filter((entry) => !isGone(entry) && isSameProcess(own.server, entry.server));
  const entry = showing(own, near);
  return entry ? { entry, text: `its pane ${own.paneId} is in another session now` } : null;
}

/** Where a session goes on that has none of its own any more; null where it does not, or nobody can tell. */
export function movedTo({ key, origin }: SessionFacts, sessions: readonly SessionEntry[]): Moved | null {
  if (!origin?.pane || !origin.place) return null;
  const others = sessions.filter((entry) => entry.key !== key);
  return paneIn({ ...origin.pane, server: origin.place.server }, others);
}

/** Whose panes a session of one server may show: by pane and process, or by the pane alone. */
export type Owners = ReadonlyMap<string, readonly SessionFacts[]>;

/** The sessions of a server by the pane that each was started with, and by those that it showed when something was declared. */
export function ownersOn(server: ServerIdentity, facts: Iterable<SessionFacts>): Owners {
  const owners = new Map<string, SessionFacts[]>();
  for (const one of facts) {
    if (one.closed !== null || one.reopened !== null) continue;
    for (const word of paneWordsOn(server, one)) owners.set(word, [...(owners.get(word) ?? []), one]);
  }
  return owners;
}

function paneWordsOn(server: ServerIdentity, { key, origin, paneIds = [] }: SessionFacts): string[] {
  const isStartedHere = origin?.place && isSameProcess(origin.place.server, server);
  return [
    ...(isStartedHere && origin.pane ? [paneWord(origin.pane)] : []),
    // Whatever runs in it by now, that is what somebody wanted kept.
    ...(paneIds.length > 0 && isSameProcess(serverIn(key), server) ? paneIds : []),
  ];
}

/** Whether a session that stands shows a pane that this one showed when something was declared of it. */
export function isCarried({ key, paneIds = [] }: SessionFacts, sessions: readonly SessionEntry[]): boolean {
  return sessions.some(
    (entry) =>
      !isGone(entry) &&
      isSameProcess(serverIn(key), entry.server) &&
      entry.panes.some(({ paneId }) => paneIds.includes(paneId)),
  );
}

/** A hold on a session by what was declared of another one whose pane it shows: nobody took that back. */
export function guestHold(
  key: string,
  { panes }: Showing,
  owners: Owners,
  now: Moment,
): { readonly held?: { readonly at: number; readonly reason: string } } {
  for (const pane of panes) {
    for (const guest of [paneWord(pane), pane.paneId].flatMap((word) => owners.get(word) ?? [])) {
      const [why] = guest.key === key ? [] : heldUpBy(declaredOf(guest), now);
      if (why === undefined) continue;
      const reason = `its pane ${pane.paneId} is that of session ${guest.name}: ${why.text}`;
      return { held: { at: why.observedAt, reason } };
    }
  }
  return {};
}

/** The server that a key was made on: a session that is only held has no place in the ledger. */
function serverIn(key: string): ProcessMark {
  const [, , pid, startTicks] = key.split('.');
  return { pid: Number(pid), startTicks: Number(startTicks) };
}

function paneWord({ paneId, pid }: Showing['panes'][number]): string {
  return `${paneId} ${pid}`;
}
