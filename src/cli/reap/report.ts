import { toReapReportDocument } from '../../contract/history-documents.ts';
import { tallyReaps } from '../../operations/reap-report.ts';
import { historyProgress } from '../backtest/history-progress.ts';
import { atHere } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { word } from '../frame/flags.ts';
import { readSince } from '../log/since.ts';
import { show } from '../render/show.ts';
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
    since: word('TIME', 'Only since then: 2h, 7d, 2026-03-01, 2026-03-01T14:30.', { default: A_WEEK }),
  },
  examples: {
    'rollcall reap report': 'the last seven days',
    'rollcall reap report --since=24h': 'since yesterday',
    "rollcall reap report --json | jq '.vetoes'": 'what keeps sessions, for programs',
  },
  exits: {
    done: 'the report was printed, also when there is nothing to tell yet',
    failed: 'the history could not be read',
    usage: 'an unknown flag or value',
  },
  run: async ({ flags, surroundings }) => {
    const { stderr, now } = surroundings;
    const since = readSince(flags.since ?? A_WEEK, now());
    const at = atHere(surroundings, flags);
    const told = await tallyReaps(since, at, historyProgress(stderr, 'reading the history'));
    const { report, skipped, problem } = told;
    return show({ flags, surroundings }, toReapReportDocument(report, since, skipped), (width) =>
      reapReportLines(report, { ...skipped, problem }, width),
    );
  },
});
