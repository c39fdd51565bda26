import { parseDuration } from '../../config/duration.ts';
import { Failure } from '../failure.ts';

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** The moment that `--since` means: so long ago, or a date, in local time unless it names a zone. */
export function readSince(written: string, now: number): number {
  const agoMs = parseDuration(written);
  if (agoMs !== null) return now - agoMs;
  const text = written.trim().replace(' ', 'T');
  // A date alone would be taken for midnight in Greenwich.
  const at = DATE.test(written.trim()) ? Date.parse(text.includes('T') ? text : `${text}T00:00`) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new Failure('usage', `--since=${written} is neither a time span nor a date`, {
    hint: 'write 90s, 30m, 2h or 7d, or a date such as 2026-03-01 or 2026-03-01T14:30',
  });
}
