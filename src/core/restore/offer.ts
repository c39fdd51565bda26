import { LEFT_MS } from '../layout/next-layout.ts';
import type { EntryDraft } from '../ledger/entry.ts';
import { RESTORE_OFFER, SESSION_MISSING } from '../ledger/restore-notes.ts';
import type { SessionFacts } from '../ledger/session-facts.ts';
import type { ProgramEnd } from '../memory/ended.ts';
import { isExpected } from '../memory/lost.ts';
import type { Problem, Roll, SessionEntry } from '../sight/roll.ts';

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

/**
 * Whether a session was lost with its tmux server, or with a boot of the machine: nobody wished that. One that was gone before
 * its server may have been removed by somebody. A program that a signal ended on the way down counts; one that ended by itself
 * does not, nor one whose server was seen long after its end.
 */
export function isLostWithServer(entry: SessionEntry): boolean {
  const { lostBy, missedAt, lifecycle, ended, serverSeenAt = 0 } = entry;
  if (lostBy === undefined || lostBy === 'missing' || lifecycle === 'closed') return false;
  if (missedAt !== undefined) return false;
  if (ended === undefined) return lifecycle === 'lost';
  return isTakenDown(ended) && serverSeenAt - ended.endedAt < LEFT_MS;
}

/** HUP, KILL and TERM: what a machine that goes down sends, and the kernel where memory runs out. */
const SIGNALS: ReadonlySet<string> = new Set(['1', '9', '15', 'HUP', 'KILL', 'TERM']);
/** The same as shells and agents tell it. */
const STATUSES: ReadonlySet<number> = new Set([129, 137, 143]);

function isTakenDown({ exitStatus, exitSignal }: ProgramEnd): boolean {
  if (exitSignal !== null) return SIGNALS.has(exitSignal.toUpperCase().replace(/^SIG/, ''));
  return exitStatus !== null && STATUSES.has(exitStatus);
}

/**
 * A machine that goes down ends sessions some seconds before their server. What was seen gone for longer than this, while its
 * server answered, went alone.
 */
export const GOING_DOWN_MS = 5000;

/** The sessions of a roll that their server answered without. */
export function missingIn(sessions: readonly SessionEntry[]): SessionEntry[] {
  return sessions.filter(({ lostBy }) => lostBy === 'missing');
}

/**
 * The notes on those of which the ledger does not know it yet. Once the server is gone too nobody can tell any more that a
 * session went before it, and that may have been somebody's wish.
 */
export function missingNotes(
  missing: Iterable<SessionEntry>,
  facts: ReadonlyMap<string, SessionFacts>,
): EntryDraft[] {
  return [...missing].flatMap(({ key, name }) => {
    const known = facts.get(key);
    // What was closed or brought back has an entry that says so.
    if (!known || known.missing || known.closed || known.reopened) return [];
    const body = { text: 'it was gone while its tmux server still answered' };
    return [{ kind: 'note', action: SESSION_MISSING, session: { key, name }, body }];
  });
}

/** What the daemon does about lost sessions: nothing, offer once to restore them, or also bring agents back asleep after a boot. */
export const RESTORE_MODES = ['off', 'ask', 'asleep'] as const;

export type RestoreMode = (typeof RESTORE_MODES)[number];

/** Why it cannot be told of some sessions whether they are lost: a server that they were on gives no answer, and may be alive. */
export function untoldIn(
  { problems, sessions }: Pick<Roll, 'problems' | 'sessions'>,
  facts: Iterable<SessionFacts>,
): Problem[] {
  const known = new Set(sessions.flatMap(({ key, lifecycle }) => (lifecycle === 'unknown' ? [] : [key])));
  const places = new Set(
    [...facts].flatMap((one) =>
      isExpected(one) && !known.has(one.key) ? [one.origin.place.server.socketPath] : [],
    ),
  );
  return problems.filter(({ socketPath }) => socketPath !== undefined && places.has(socketPath));
}
