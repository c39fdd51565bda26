import { toReapReportDocument } from '../../contract/history-documents.ts';
import { eventsInLedger } from '../../core/history/ledger-events.ts';
import { ReapTally } from '../../core/history/reap-report.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { ReapEvent } from '../../core/reaper/standing.ts';
import { eachRecord, openHistory } from '../backtest/read-history.ts';
import { defineCommand } from '../frame/command.ts';
import { isColor } from '../frame/is-color.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';
import { readSince } from '../log/since.ts';
import { printLines } from '../render/line.ts';
import { reapReportLines } from './render-report.ts';

const A_WEEK = '7d';

export const reapReportCommand = defineCommand({
  name: 'reap report',
  summary: 'Show what the reaper did or would have done, and what kept it.',
  usage: ['rollcall reap report [flags]'],
  description: [
    'Adds up what the daemon recorded: which sessions were closed under memory pressure, or would have been in shadow mode, and how much memory that gave back or could have; which guards kept sessions that could have gone, and how often they began to; how long each tier and mode lasted; and when nobody looked.',
    'It reads the history in the state folder and the notes in the ledger, so it still tells what was done when the history was lost. It needs no daemon, and changes nothing.',
  ],
  flags: {
    since: {
      kind: 'word',
      placeholder: 'TIME',
      default: A_WEEK,
      help: 'Only since then: 2h, 7d, 2026-03-01, 2026-03-01T14:30.',
    },
  },
  positional: null,
  examples: [
    { command: 'rollcall reap report', what: 'the last seven days' },
    { command: 'rollcall reap report --since=24h', what: 'since yesterday' },
    { command: "rollcall reap report --json | jq '.vetoes'", what: 'what keeps sessions, for programs' },
  ],
  exits: [
    { name: 'done', when: 'the report was printed, also when there is nothing to tell yet' },
    { name: 'failed', when: 'the history could not be read' },
    { name: 'usage', when: 'an unknown flag or value' },
  ],
  run: async ({ flags, surroundings }) => {
    const { stdout, stderr, now } = surroundings;
    const since = readSince(flags.since ?? A_WEEK, now());
    const tally = new ReapTally(since);
    const history = await openHistory(surroundings);
    const progress = { what: 'reading the history', stderr };
    const skipped = await eachRecord(history, since, progress, (record) => tally.take(record));
    const noted = await notedIn(surroundings);
    const report = tally.finish(noted.events);
    if (flags.json) writeJson(stdout, toReapReportDocument(report, since, skipped));
    else {
      const lines = reapReportLines(
        report,
        { ...skipped, now: now(), problem: noted.problem },
        stdout.columns,
      );
      stdout.write(printLines(lines, isColor(flags, surroundings)));
    }
    return 0;
  },
});

// Either of the two sources is enough.
async function notedIn({
  ledger: open,
}: Surroundings): Promise<{ events: readonly ReapEvent[]; problem: string | null }> {
  try {
    const ledger = await open();
    try {
      return { events: eventsInLedger(ledger.read().entries), problem: null };
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return { events: [], problem: `the ledger could not be read: ${error.message}` };
  }
}
