import type { LoadedThread, ServerAnswer } from './app-server.ts';

/** A Codex that is a client of a daemon, as far as it helps to tell which of the daemon's conversations it shows. */
export interface CodexClient {
  readonly pid: number;
  readonly startTicks: number;
  readonly folder?: string;
  readonly resumes?: string;
  readonly title: string;
  /** The title is set up to hold the conversation's id. */
  readonly isIdInTitle: boolean;
}

export type Clients = ReturnType<typeof createClients>;

const MAX_AGE_MS = 3_000;

/** The clients of each home that were seen a moment ago; a conversation is only given out where all of them are known. */
export function createClients(now: () => number) {
  const homes = new Map<string, Map<string, { readonly at: number; readonly client: CodexClient }>>();
  return {
    note(home: string, client: CodexClient): void {
      const seen = homes.get(home) ?? new Map();
      seen.set(`${client.pid} ${client.startTicks}`, { at: now(), client });
      homes.set(home, seen);
    },
    of(home: string): readonly CodexClient[] {
      const seen = homes.get(home);
      if (!seen) return [];
      for (const [key, { at }] of seen) if (Math.abs(now() - at) > MAX_AGE_MS) seen.delete(key);
      return [...seen.values()].map(({ client }) => client);
    },
  };
}

/** The daemon's conversations that a person can be shown: no subagents, no helpers. */
export function rootsOf(threads: readonly LoadedThread[]): readonly LoadedThread[] {
  return threads.filter(({ parent, isEphemeral }) => parent === null && !isEphemeral);
}

/**
 * Which of the daemon's conversations a client shows; null unless it is proven. The daemon does not tell: the proof is
 * the client's own title, or that all clients are known and only one conversation is left. The start arguments prove
 * little: `/new` and `/resume` change it.
 */
export function conversationOf(
  me: CodexClient,
  clients: readonly CodexClient[],
  { threads, clients: connections }: Extract<ServerAnswer, { state: 'answered' }>,
): LoadedThread | null {
  const roots = rootsOf(threads);
  return byTitle(me, roots) ?? byElimination(me, clients, roots, connections);
}

// The spinner, or the call for action, before what the title says of the conversation.
const ACTIVITY = /^(?:[\u2800-\u28ff] |\[ [!.] \] Action Required \| )/;
const CUT_ID = /^([0-9a-f]{8}-[0-9a-f-]{10,27})(?:\.\.\.|…)?$/;

function byTitle(me: CodexClient, roots: readonly LoadedThread[]): LoadedThread | null {
  const text = me.title.replace(ACTIVITY, '');
  if (me.isIdInTitle) {
    const starts = text.split(' | ').flatMap((part) => CUT_ID.exec(part)?.[1] ?? []);
    return only(roots.filter(({ id }) => starts.some((start) => id.startsWith(start))));
  }
  return only(roots.filter(({ name }) => name !== null && text.startsWith(`${name} | `)));
}

function byElimination(
  me: CodexClient,
  clients: readonly CodexClient[],
  roots: readonly LoadedThread[],
  connections: number | null,
): LoadedThread | null {
  if (connections !== clients.length || roots.length !== clients.length) return null;
  const claimOf = (client: CodexClient): LoadedThread | null =>
    byTitle(client, roots) ?? only(roots.filter(({ id }) => id === client.resumes));
  const mine = claimOf(me);
  if (mine) return clients.filter((client) => claimOf(client) === mine).length === 1 ? mine : null;
  const others = clients.filter((client) => !claimOf(client));
  const left = roots.filter((root) => !clients.some((client) => claimOf(client) === root));
  const isAlone = others.filter(({ folder }) => folder === me.folder).length === 1;
  return isAlone ? only(left.filter(({ cwd }) => cwd === me.folder)) : null;
}

/** The one that was found; null where there are none or several. */
export function only<T>(found: readonly T[]): T | null {
  return found.length === 1 ? (found[0] as T) : null;
}
