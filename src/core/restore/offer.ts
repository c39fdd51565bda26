import type { EntryDraft } from '../ledger/entry.ts';
import { RESTORE_OFFER } from '../ledger/restore-notes.ts';
import type { SessionEntry } from '../sight/roll.ts';
import { isLostWithServer } from './lost-with-server.ts';

/** Names that are told; the number is of all. */
const MOST_NAMED = 1000;

/** What is said of them, in one line. */
export function offerText(lost: readonly unknown[]): string {
  const what = lost.length === 1 ? '1 session was' : `${lost.length} sessions were`;
  return `${what} lost with ${lost.length === 1 ? 'its' : 'their'} tmux server: rollcall restore`;
}

/** The sessions of a roll that an offer is about. */
export function offeredIn(sessions: readonly SessionEntry[]): SessionEntry[] {
  return sessions.filter(isLostWithServer);
}

/** The note for those that nobody was told of yet; null where there are none. */
export function offerNote(lost: readonly SessionEntry[], told: ReadonlySet<string>): EntryDraft | null {
  if (lost.every(({ key }) => told.has(key))) return null;
  const sessions = lost.slice(0, MOST_NAMED).map(({ key, name }) => ({ key, name }));
  const body = { text: offerText(lost), count: lost.length, sessions };
  return { kind: 'note', action: RESTORE_OFFER, session: null, body };
}

/**
 * What the daemon may bring back by itself: what a boot took, and nobody was told of before. Of a server that ended in this
 * boot nobody can tell whether it crashed, or somebody removed its last session.
 */
export function takenByBoot(lost: readonly SessionEntry[], told: ReadonlySet<string>): SessionEntry[] {
  return lost.filter(({ key, lostBy }) => lostBy === 'restarted' && !told.has(key));
}
