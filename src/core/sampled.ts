import type { Recollection, RememberedPane, RememberedServer, RememberedSession } from './recollection.ts';

/**
 * What a second look right after a first one builds on: rates are between the two, but what was entered in a shell is told
 * since the look before both. Nobody hears what the first one tells.
 */
export function sampled(first: Recollection, before: Recollection | null): Recollection {
  if (before === null) return first;
  return { ...first, servers: each(first.servers, before.servers, serverSince) };
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
