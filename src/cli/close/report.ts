import type { CloseReport } from '../../core/close/report.ts';
import { EXIT_CODES } from '../exit-codes.ts';

// Worst first: what failed tells more than what was refused.
const SEVERITY = ['failed', 'timed-out', 'not-found', 'refused', 'done'] as const;

/** One exit code for all of them. */
export function worstExit(reports: readonly CloseReport[]): number {
  const codes = new Set(reports.map(({ exitCode }) => exitCode));
  const worst = SEVERITY.find((name) => codes.has(EXIT_CODES[name].code)) ?? 'done';
  return EXIT_CODES[worst].code;
}
