import { type RememberedPeople, rememberPeople } from '../../core/memory/remember-people.ts';
import type { ProcessTable } from '../../core/sight/process.ts';
import type { PresentServer, SessionSighting } from '../../core/sight/sighting.ts';
import type { Moment } from '../../core/text/moment.ts';
import type { PeopleEvidence } from '../../core/verdict/evidence.ts';
import type { PaneLook } from './read-pane.ts';

/** Who is in a session, for how long nobody has been, and what the next look has to know of it. */
export function peopleIn(
  server: PresentServer,
  session: SessionSighting,
  earlier: RememberedPeople | undefined,
  now: Moment,
): { readonly evidence: PeopleEvidence; readonly remembered: RememberedPeople } {
  const together = showingTheSame(server, session);
  const ids = new Set(together.map(({ sessionId }) => sessionId));
  const clients = server.clients.filter((client) => ids.has(client.sessionId));
  const lastAttachedAt = Math.max(0, ...together.map((one) => one.lastAttachedAt ?? 0));
  const last = lastAttachedAt === 0 ? {} : { lastAttachedAt };
  const arrivals = arrivalsIn(session, together);
  const remembered = rememberPeople({ isAttached: clients.length > 0, arrivals, ...last }, earlier, now);
  const { thereAwakeMs } = remembered;
  return {
    remembered,
    evidence: {
      ...{ kind: 'people', source: 'people', observedAt: server.observedAt, clients },
      isThroughGroup: clients.some((client) => client.sessionId !== session.sessionId),
      ...last,
      ...(thereAwakeMs !== undefined && { awayMs: Math.max(0, now.awakeMs - thereAwakeMs) }),
    },
  };
}

// People attached to another session of its group, or to one that its windows are linked into, look at the same windows.
function showingTheSame({ sessions }: PresentServer, session: SessionSighting): readonly SessionSighting[] {
  const { group, panes } = session;
  const shared = new Set(panes.filter((pane) => pane.isWindowShared).map(({ paneId }) => paneId));
  if (group === undefined && shared.size === 0) return [session];
  return sessions.filter(
    (other) =>
      other === session ||
      (group !== undefined && other.group === group) ||
      other.panes.some(({ paneId }) => shared.has(paneId)),
  );
}

// A group outlives its members: one with a single member had another, in which somebody may have been.
function arrivalsIn(session: SessionSighting, together: readonly SessionSighting[]): string {
  if (session.group === undefined && together.length === 1) return String(session.lastAttachedAt ?? '');
  return together.map(({ sessionId, lastAttachedAt }) => `${sessionId}:${lastAttachedAt ?? ''}`).join(' ');
}

/** Whether a pane holds this very process, or one above it. */
export type HoldsOwn = (pane: Pick<PaneLook, 'sighting' | 'processes'>) => boolean;

/**
 * Tells by ancestry where rollcall itself runs: variables can be taken away, the processes above it cannot. What left a
 * pane's tree (the same terminal session, or the pane's mark in its environment) still counts as the pane's, because
 * closing that session would end it too. Init is everybody's ancestor.
 */
export function holdsOwn({ byPid }: ProcessTable, ownPid: number): HoldsOwn {
  const own = new Map<number, number>();
  for (
    let at = byPid.get(ownPid);
    at !== undefined && at.pid > 1 && !own.has(at.pid);
    at = byPid.get(at.ppid)
  ) {
    own.set(at.pid, at.startTicks);
  }
  return ({ sighting, processes }) =>
    sighting.pid > 1 && processes.some(({ pid, startTicks }) => own.get(pid) === startTicks);
}
