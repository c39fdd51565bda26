import type { LedgerEntry } from './entry.ts';

/** Intents without an outcome: what was under way when its actor stopped, or still is. */
export function openIntents(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const ended = new Set(entries.flatMap(({ kind, cause }) => (kind === 'outcome' ? [cause] : [])));
  return entries.filter(({ kind, sequence }) => kind === 'intent' && !ended.has(sequence));
}
