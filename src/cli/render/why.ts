import type { SessionEntry } from '../../core/roll.ts';

/**
 * The one decisive reason. Where a person has to find out why nothing may be done (stale, unknown), what is missing
 * for closing comes with it.
 */
export function why(entry: SessionEntry): string {
  const text = entry.reasons[0]?.text ?? 'no reason was given';
  if (entry.lifecycle !== 'stale' && entry.lifecycle !== 'unknown') return text;
  const missing = entry.blockers.filter((blocker) => !text.includes(blocker.text));
  if (missing.length === 0) return text;
  const more = missing.length > 1 ? ` (+${missing.length - 1} more)` : '';
  return `${text}; not closable: ${missing[0]?.text}${more}`;
}
