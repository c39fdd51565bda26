import { isGlob, matchesGlob } from '../config/glob.ts';
import type { Roll, SessionEntry } from '../core/sight/roll.ts';
import { isServerNamed } from '../core/sight/server-named.ts';
import { visible } from '../core/text/visible.ts';
import type { Activity, Lifecycle } from '../core/verdict/verdict.ts';
import { sessionsMeant } from './select-session.ts';

/** What a person wants to see; an empty list lets everything through. */
export interface Filter {
  readonly lifecycles: readonly Lifecycle[];
  readonly activities: readonly Activity[];
  /** Kinds of agents; `none` stands for sessions without one. */
  readonly agents: readonly string[];
  /** Labels or socket paths. */
  readonly servers: readonly string[];
  /** Patterns, or words that name sessions exactly. */
  readonly words: readonly string[];
}

export type Filtered =
  | { readonly state: 'matched'; readonly roll: Roll }
  /** A plain word that names no session: a mistake to be told of, unlike a pattern that matches nothing. */
  | { readonly state: 'not-found'; readonly word: string };

/** Narrows the roll; its order, problems and servers stay. */
export function filterSessions(roll: Roll, filter: Filter): Filtered {
  const named = new Set<SessionEntry>();
  for (const word of filter.words) {
    const entries = sessionsOf(roll.sessions, word);
    if (entries.length === 0 && !isGlob(word)) return { state: 'not-found', word };
    for (const entry of entries) named.add(entry);
  }
  const sessions = roll.sessions.filter(
    (entry) =>
      (filter.words.length === 0 || named.has(entry)) &&
      has(filter.lifecycles, entry.lifecycle) &&
      has(filter.activities, entry.activity) &&
      has(filter.agents, entry.agent?.kind ?? 'none') &&
      (filter.servers.length === 0 || isServerNamed(entry.server.socketPath, filter.servers)),
  );
  return { state: 'matched', roll: { ...roll, sessions } };
}

// An exact name comes first: a session may well be called `what?`.
function sessionsOf(sessions: readonly SessionEntry[], word: string): SessionEntry[] {
  const exact = sessionsMeant(sessions, word);
  if (exact.length > 0 || !isGlob(word)) return exact;
  return sessions.filter((entry) => matchesGlob(word, visible(entry.name)));
}

function has(wanted: readonly string[], value: string): boolean {
  return wanted.length === 0 || wanted.includes(value);
}
