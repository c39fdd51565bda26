import type { SessionEntry } from '../../sight/roll.ts';
import type { Severity } from '../finding.ts';

/** A leftover is something to mend once it is one for certain; before that, and while somebody keeps it, it is only told. */
export function leftoverSeverity({ lifecycle, protections }: SessionEntry): Severity {
  const isKept = protections.some(({ code }) => code !== 'not-managed');
  return !isKept && (lifecycle === 'safe-to-close' || lifecycle === 'stale') ? 'warning' : 'info';
}
