import { isSameProcess } from '../sight/identity.ts';
import type { Recollection, RememberedPane, RememberedServer, RememberedSession } from './recollection.ts';

/**
 * What a second look right after a first one builds on: rates are between the two, but what was entered in a shell is told
 * since the look before both. Nobody hears what the first one tells.
 */
export function sampled(first: Recollection, before: Recollection | null): Recollection {
  if (before === null) return first;
  return eachSession(first, before, (session, earlier) => {
    return { ...session, panes: each(session.panes, earlier.panes, paneSince) };
  });
}

/**
 * Adds what another process has seen and written down meanwhile: what ended a completion, what made a shell a person's, and
 * who was there.
 */
export function withLearnt(own: Recollection, other: Recollection): Recollection {
  if (own.bootId !== other.bootId || own.pidNamespace !== other.pidNamespace) return own;
  return eachSession(own, other, sessionLearnt);
}

type Since<T> = (one: T, before: T) => T;

function eachSession(now: Recollection, before: Recollection, since: Since<RememberedSession>): Recollection {
  const serverSince: Since<RememberedServer> = (server, earlier) => {
    return { ...server, sessions: each(server.sessions, earlier.sessions, since) };
  };
  return { ...now, servers: each(now.servers, before.servers, serverSince) };
}

function sessionLearnt(session: RememberedSession, other: RememberedSession): RememberedSession {
  const there = Math.max(session.people?.thereAwakeMs ?? 0, other.people?.thereAwakeMs ?? 0);
  return {
    ...session,
    ...(session.people && there > 0 && { people: { ...session.people, thereAwakeMs: there } }),
    panes: each(session.panes, other.panes, paneLearnt),
  };
}

function paneLearnt(pane: RememberedPane, other: RememberedPane): RememberedPane {
  if (!isSameProcess(pane, other)) return pane;
  const entered = pane.entered ?? other.entered;
  const isEnded = other.word?.used !== undefined && (pane.word?.at ?? other.word.at) === other.word.at;
  return {
    ...pane,
    ...(entered !== undefined && { entered }),
    ...(isEnded && pane.word?.used === undefined && { word: other.word }),
  };
}

function paneSince(pane: RememberedPane, before: RememberedPane): RememberedPane {
  // A completion that came between has a glance of its own.
  const isSameWord = pane.word?.at === before.word?.at;
  return isSameProcess(pane, before) && isSameWord && pane.input && before.input
    ? { ...pane, input: before.input }
    : pane;
}

type ByName<T> = Readonly<Record<string, T>>;

function each<T>(now: ByName<T>, before: ByName<T>, since: Since<T>): ByName<T> {
  const pairs = Object.entries(now).map(([key, one]) => {
    const known = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, known === undefined ? one : since(one, known)] as const;
  });
  return Object.fromEntries(pairs);
}
