import type { BacktestResult } from '../core/backtest/result.ts';
import { type SummaryWords, summaryOf } from '../core/backtest/summary.ts';
import type { ReapReport } from '../core/history/reap-report.ts';
import type { Gap } from '../core/history/witness.ts';
import type { Tier } from '../core/pressure/tier.ts';
import { toDocument } from './document.ts';
import type { BacktestDocument, ReapReportDocument } from './history-schemas.ts';

/** Lines that could not be used. */
export interface Skipped {
  readonly damaged: number;
  readonly unknown: number;
}

/** A report as `rollcall reap report --json` prints it. */
export function toReapReportDocument(
  report: ReapReport,
  since: number,
  skipped: Skipped,
): ReapReportDocument {
  const { damaged: damagedLines, unknown: unknownLines } = skipped;
  return toDocument({ since, ...report, gaps: report.gaps.map(gapObject), damagedLines, unknownLines });
}

/** What was asked of a backtest. */
export interface BacktestAsked {
  readonly since: number;
  readonly policy: string | null;
  readonly tier: Tier | null;
}

/** A backtest as `rollcall backtest --json` prints it. */
export function toBacktestDocument(
  result: BacktestResult,
  { since, policy, tier }: BacktestAsked,
  skipped: Skipped,
  words: SummaryWords,
): BacktestDocument {
  const { damaged: damagedLines, unknown: unknownLines } = skipped;
  const summary = summaryOf(result.closes, words);
  const gaps = result.gaps.map(gapObject);
  return toDocument({ since, policy, tier, ...result, gaps, summary, damagedLines, unknownLines });
}

function gapObject({ from, to }: Gap): { from: number; to: number } {
  return { from: from.at, to: to.at };
}
