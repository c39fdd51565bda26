import type { Roll, SessionEntry } from '../core/sight/roll.ts';
import { silentServers } from '../core/sight/silent-servers.ts';
import { visible } from '../core/text/visible.ts';
import { type Candidate, Failure } from './failure.ts';
import { type Handles, selectSession } from './select-session.ts';

/** The one session that a word names, or the failure that says why there is none. */
export function sessionNamed(roll: Roll, word: string): SessionEntry {
  const selection = selectSession(roll.sessions, word);
  switch (selection.state) {
    case 'one':
      if (isPane(word) && silentServers(roll).length > 0) throw unseen(roll, word, []);
      return selection.entry;
    case 'several':
      throw ambiguous(word, selection.entries);
    case 'none':
      throw notFound(roll, word, selection.near);
  }
}

/** Not found is said only when every server answered: a server that did not may hold the session. */
export function notFound(
  roll: Roll,
  word: string,
  near: readonly SessionEntry[],
  commandHint?: string,
): Failure {
  const candidates = near.map(candidate);
  const meant = near.length === 0 ? commandHint : `did you mean ${names(near)}?`;
  if (silentServers(roll).length > 0) return unseen(roll, word, candidates, meant);
  return new Failure('not-found', `no session ${quoted(word)}`, {
    hint:
      meant ?? (roll.sessions.length === 0 ? 'there is no session at all' : 'rollcall lists all sessions'),
    candidates,
  });
}

// Every server has a %1, and one that gives no answer does not tell which panes it has.
function isPane(word: string): boolean {
  return /^%\d+$/.test(word);
}

function unseen(roll: Roll, word: string, candidates: readonly Candidate[], hint?: string): Failure {
  const text = isPane(word) ? 'which session is meant by' : 'whether there is a session';
  return new Failure('failed', `cannot tell ${text} ${quoted(word)}`, {
    details: silentServers(roll).map((socketPath) => `no answer from ${socketPath}`),
    hint: hint ?? 'run rollcall without a name to see what is wrong with the server',
    candidates,
    isUnseen: true,
  });
}

/** Several are meant; they are listed, and none is chosen. */
export function ambiguous(word: string, entries: readonly Handles[]): Failure {
  return new Failure('ambiguous', `${quoted(word)} may be any of ${entries.length} sessions`, {
    hint: 'name the server too, as LABEL:NAME or SOCKETPATH:NAME, or use the key',
    candidates: entries.map(candidate),
  });
}

/** How it is listed among several. */
export function candidate(entry: Handles): Candidate {
  return { key: entry.key, name: entry.name, sessionId: entry.sessionId, server: entry.server.label };
}

function names(entries: readonly SessionEntry[]): string {
  return [...new Set(entries.map((entry) => quoted(entry.name)))].join(' or ');
}

function quoted(word: string): string {
  return `'${visible(word, 200)}'`;
}

/** The sessions that these words name, all or none: where one name is wrong, the others may be too. */
export function allNamed(roll: Roll, words: readonly string[], nothingDone: string): SessionEntry[] {
  try {
    const entries = words.map((word) => sessionNamed(roll, word));
    return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
  } catch (error) {
    if (!(error instanceof Failure) || words.length === 1) throw error;
    const { code, message, details, candidates, hint } = error;
    throw new Failure(code, `${message}; ${nothingDone}`, {
      details,
      candidates,
      hint: hint ?? undefined,
    });
  }
}
