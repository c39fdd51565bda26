import { nearest } from '../config/nearest.ts';
import { isGone, type SessionEntry } from '../core/sight/roll.ts';
import { visible } from '../core/text/visible.ts';

/** What a user's word means among these sessions. */
export type Selection =
  | { readonly state: 'one'; readonly entry: SessionEntry }
  | { readonly state: 'several'; readonly entries: readonly SessionEntry[] }
  | { readonly state: 'none'; readonly near: readonly SessionEntry[] };

/** Everything by which a session can be named. */
export interface Handles extends Pick<SessionEntry, 'key' | 'name' | 'sessionId'> {
  readonly server: Pick<SessionEntry['server'], 'label' | 'socketPath'>;
  readonly panes: readonly { readonly paneId: string }[];
}

/** Resolves a word to exactly one session. Never by prefix or pattern, and never by picking one of several. */
export function selectSession(sessions: readonly SessionEntry[], word: string): Selection {
  const [entry, ...others] = sessionsMeant(sessions, word);
  if (entry === undefined) return { state: 'none', near: sessionsNear(sessions, word) };
  return others.length === 0 ? { state: 'one', entry } : { state: 'several', entries: [entry, ...others] };
}

/**
 * Every session that a word names exactly: by name, `$id`, `%pane` or key, the first three also behind `LABEL:` or
 * `SOCKETPATH:`. When there is none, by the name that tmux makes of the word. One that is gone is meant only where none
 * that lives is, and one that was closed only where none is missed; of those, the newest.
 */
export function sessionsMeant(sessions: readonly SessionEntry[], word: string): SessionEntry[] {
  const shown = whole(word);
  const exact = sessions.filter((entry) => isMeant(entry, shown, (text) => text));
  const meant = exact.length > 0 ? exact : sessions.filter((entry) => isMeant(entry, shown, storedName));
  const living = meant.filter((entry) => !isGone(entry));
  if (living.length > 0) return living;
  const missed = meant.filter(({ lifecycle }) => lifecycle !== 'closed');
  return missed.length > 0 ? missed : newestOnEach(meant);
}

/** Of those that were closed, the last one on each server. */
function newestOnEach(closed: readonly SessionEntry[]): SessionEntry[] {
  const newest = new Map<string, SessionEntry>();
  for (const entry of closed) {
    const { socketPath } = entry.server;
    const known = newest.get(socketPath);
    if (known === undefined || known.since < entry.since) newest.set(socketPath, entry);
  }
  return [...newest.values()];
}

/** Whether a word names it exactly, or by the name that tmux makes of the word. */
export function isNamedBy(entry: Handles, word: string): boolean {
  const shown = whole(word);
  return isMeant(entry, shown, (text) => text) || isMeant(entry, shown, storedName);
}

/** Sessions whose names come near a word, for a suggestion. */
export function sessionsNear(sessions: readonly SessionEntry[], word: string): SessionEntry[] {
  const names = nearest(
    whole(word),
    sessions.map((entry) => whole(entry.name)),
    3,
  );
  return names.flatMap((name) => sessions.filter((entry) => whole(entry.name) === name));
}

function isMeant(entry: Handles, word: string, stored: (name: string) => string): boolean {
  const handles = [whole(entry.name), entry.sessionId, ...entry.panes.map((pane) => pane.paneId)];
  if (entry.key === word || handles.includes(stored(word))) return true;
  // Compared from the known side: labels and paths may hold colons themselves.
  return [entry.server.label, entry.server.socketPath].some((server) => {
    const prefix = `${whole(server)}:`;
    return word.startsWith(prefix) && handles.includes(stored(word.slice(prefix.length)));
  });
}

const KEY = /^\w+\.\w+\.\d+\.\d+\.s\d+\.\d+$/;

/**
 * The name that tmux (3.0 to 3.7) makes of this one: '.' becomes '_', and backslashes are doubled. It does the same with ':', which
 * stays here: such a word names a server too. A key is nobody's name. What is gone must not mean another session.
 */
function storedName(name: string): string {
  if (KEY.test(name)) return name;
  return name.replaceAll('.', '_').replaceAll('\\', '\\\\');
}

// As people see and copy it, and uncut: two long names that begin alike are not the same.
function whole(text: string): string {
  return visible(text, Number.POSITIVE_INFINITY);
}
