import { visible } from '../text/visible.ts';
import type { EntrySession, LedgerEntry } from './entry.ts';

/**
 * The entries about the sessions that a word names exactly: by key, by `$id`, or by a name that they had at any time.
 * An intent and what came of it stay together, since a session has no key before it is started.
 */
export function entriesAbout(entries: readonly LedgerEntry[], word: string): LedgerEntry[] {
  const keys = new Set(
    entries.flatMap(({ session }) => (session?.key && isMeant(session, word) ? [session.key] : [])),
  );
  const isAbout = ({ session }: LedgerEntry) =>
    session !== null && (session.key === null ? isMeant(session, word) : keys.has(session.key));
  const about = new Set(entries.filter(isAbout).flatMap(({ sequence, cause }) => [sequence, cause]));
  return entries.filter(({ sequence, cause }) => about.has(sequence) || (cause !== null && about.has(cause)));
}

/** Whether a word names exactly this session. */
export function isMeant({ key, name }: EntrySession, word: string): boolean {
  return key === word || whole(name) === whole(word) || (key !== null && sessionIdIn(key) === word);
}

/** A key ends in the session's number and the second in which it was made. */
function sessionIdIn(key: string): string | null {
  const number = /\.s(\d+)\.\d+$/.exec(key)?.[1];
  return number === undefined ? null : `$${number}`;
}

// As people see and copy it.
function whole(text: string): string {
  return visible(text, Number.POSITIVE_INFINITY);
}
