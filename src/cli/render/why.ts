import type { SessionEntry } from '../../core/roll.ts';

/** The one decisive reason; where proof is missing the core has already put into it what is. */
export function why(entry: SessionEntry): string {
  return entry.reasons[0]?.text ?? 'no reason was given';
}
