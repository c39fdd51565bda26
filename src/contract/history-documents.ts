import type { BacktestResult } from '../core/backtest/result.ts';
import { type BacktestSummary, type SummaryWords, summaryOf } from '../core/backtest/summary.ts';
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
  return toDocument({
    ...{
      since,
      from: report.from,
      to: report.to,
      watchedMs: report.watchedMs,
      gaps: report.gaps.map(gapObject),
    },
    tiers: report.tiers.map(({ tier, ms }) => ({ tier, ms })),
    modes: report.modes.map(({ mode, ms }) => ({ mode, ms })),
    counts: { ...report.counts },
    events: report.events.map((event) => ({ ...event, session: event.session && { ...event.session } })),
    vetoes: report.vetoes.map((tally) => ({ ...tally })),
    spared: report.spared.map((tally) => ({ ...tally })),
    ...{ freedBytes: report.freedBytes, couldFreeBytes: report.couldFreeBytes },
    ...{ damagedLines: skipped.damaged, unknownLines: skipped.unknown },
  });
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
  const { from, to, watchedMs, pressedMs, sessions } = result;
  return toDocument({
    ...{ since, policy, tier, from, to, watchedMs, pressedMs, sessions, gaps: result.gaps.map(gapObject) },
    closes: result.closes.map((close) => ({ ...close, lent: [...close.lent] })),
    recorded: result.recorded.map((close) => ({ ...close, lent: [...close.lent] })),
    kept: result.kept.map(({ code, sessions: kept }) => ({ code, sessions: kept })),
    summary: { ...(summaryOf(result.closes, words) satisfies BacktestSummary) },
    ...{ damagedLines: skipped.damaged, unknownLines: skipped.unknown },
  });
}

function gapObject({ from, to }: Gap): { from: number; to: number } {
  return { from: from.at, to: to.at };
}
