import { parseDuration } from '../../core/text/duration.ts';
import { Failure } from '../../operations/failure.ts';

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** The moment that `--since` means: so long ago, or a date, in local time unless it names a zone. */
export function readSince(written: string, now: number): number {
  const agoMs = parseDuration(written);
  const at = agoMs === null ? parseDate(written) : now - agoMs;
  if (at !== null) return at;
  throw new Failure('usage', `--since=${written} is neither a time span nor a date`, {
    hint: 'write 90s, 30m, 2h or 7d, or a date such as 2026-03-01 or 2026-03-01T14:30',
  });
}

/** A date, with or without a time, as epoch ms; null for anything else. */
export function parseDate(written: string): number | null {
  const text = written.trim().replace(' ', 'T');
  if (!DATE.test(written.trim())) return null;
  // A date alone would be taken for midnight in Greenwich.
  const at = Date.parse(text.includes('T') ? text : `${text}T00:00`);
  return Number.isNaN(at) ? null : at;
}
