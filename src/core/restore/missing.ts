import type { EntryDraft } from '../ledger/entry.ts';
import { SESSION_MISSING } from '../ledger/restore-notes.ts';
import type { SessionFacts } from '../ledger/session-facts.ts';
import type { SessionEntry } from '../sight/roll.ts';

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
