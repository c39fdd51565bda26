import { type Skipped, toReapReportDocument } from '../contract/history-documents.ts';
import type { ReapReportDocument } from '../contract/history-schemas.ts';
import type { Input } from '../contract/operations.ts';
import { eventsInLedger } from '../core/history/ledger-events.ts';
import { type ReapReport, ReapTally } from '../core/history/reap-report.ts';
import { LedgerError } from '../core/ledger/ledger-error.ts';
import type { ReapEvent } from '../core/reaper/standing.ts';
import type { At } from './at.ts';
import { eachRecord, openHistory, type ReadProgress } from './read-history.ts';

export const A_WEEK_MS = 7 * 86_400_000;

type AtReport = Pick<At, 'history' | 'entries'>;

/** What the reaper did, by the history and the ledger. */
export interface TalliedReaps {
  readonly report: ReapReport;
  readonly skipped: Skipped;
  /** Why the ledger told nothing; either of the two sources is enough. */
  readonly problem: string | null;
}

export async function reapReport(
  input: Input<'reapReport'>,
  at: AtReport & Pick<At, 'now'>,
): Promise<ReapReportDocument> {
  const since = input.since ?? at.now() - A_WEEK_MS;
  const { report, skipped } = await tallyReaps(since, at);
  return toReapReportDocument(report, since, skipped);
}

/** Adds up what the daemon recorded since then. */
export async function tallyReaps(since: number, at: AtReport, onPart?: ReadProgress): Promise<TalliedReaps> {
  const tally = new ReapTally(since);
  const history = await openHistory(at);
  const skipped = await eachRecord(history, since, (record) => tally.take(record), onPart);
  const { events, problem } = await notedIn(at);
  return { report: tally.finish(events), skipped, problem };
}

async function notedIn({
  entries,
}: AtReport): Promise<{ events: readonly ReapEvent[]; problem: string | null }> {
  try {
    return { events: eventsInLedger(await entries()), problem: null };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return { events: [], problem: `the ledger could not be read: ${error.message}` };
  }
}
