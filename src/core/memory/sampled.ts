import type { Recollection, RememberedPane, RememberedServer, RememberedSession } from './recollection.ts';

/**
 * What a second look right after a first one builds on: rates are between the two, but what was entered in a shell is told
 * since the look before both. Nobody hears what the first one tells.
 */
export function sampled(first: Recollection, before: Recollection | null): Recollection {
  if (before === null) return first;
  return { ...first, servers: each(first.servers, before.servers, serverSince) };
}

/**
 * The same with what another process has seen meanwhile and wrote down: what ended a completion, or made a shell a person's, stays
 * so whoever saw it, and whoever was there was there.
 */
export function withLearnt(own: Recollection, other: Recollection): Recollection {
  if (own.bootId !== other.bootId || own.pidNamespace !== other.pidNamespace) return own;
  return { ...own, servers: each(own.servers, other.servers, serverLearnt) };
}

function serverLearnt(server: RememberedServer, other: RememberedServer): RememberedServer {
  return { ...server, sessions: each(server.sessions, other.sessions, sessionLearnt) };
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
  if (pane.pid !== other.pid || pane.startTicks !== other.startTicks) return pane;
  const entered = pane.entered ?? other.entered;
  const isEnded = other.word?.used !== undefined && (pane.word?.at ?? other.word.at) === other.word.at;
  return {
    ...pane,
    ...(entered !== undefined && { entered }),
    ...(isEnded && pane.word?.used === undefined && { word: other.word }),
  };
}

function serverSince(server: RememberedServer, before: RememberedServer): RememberedServer {
  return { ...server, sessions: each(server.sessions, before.sessions, sessionSince) };
}

function sessionSince(session: RememberedSession, before: RememberedSession): RememberedSession {
  return { ...session, panes: each(session.panes, before.panes, paneSince) };
}

function paneSince(pane: RememberedPane, before: RememberedPane): RememberedPane {
  const isSame = pane.pid === before.pid && pane.startTicks === before.startTicks;
  // A completion that came between has a glance of its own.
  const isSameWord = pane.word?.at === before.word?.at;
  return isSame && isSameWord && pane.input && before.input ? { ...pane, input: before.input } : pane;
}

function each<T>(
  now: Readonly<Record<string, T>>,
  before: Readonly<Record<string, T>>,
  since: (one: T, before: T) => T,
): Readonly<Record<string, T>> {
  const pairs = Object.entries(now).map(([key, one]) => {
    const known = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, known === undefined ? one : since(one, known)] as const;
  });
  return Object.fromEntries(pairs);
}
