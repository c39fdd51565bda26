import { toGateReportDocument } from '../../contract/gate-documents.ts';
import { tallyGate } from '../../operations/gate.ts';
import { atHere } from '../frame/at.ts';
import { defineCommand } from '../frame/command.ts';
import { word } from '../frame/flags.ts';
import { readSince } from '../log/since.ts';
import { show } from '../render/show.ts';
import { gateReportLines } from './render-report.ts';

const A_WEEK = '7d';

export const gateReportCommand = defineCommand({
  name: 'gate report',
  summary: 'Show what the stop gate did or would have done.',
  usage: ['rollcall gate report [flags]'],
  description: [
    'Adds up the stops that were seen: how many were let through and by which reason, how many were blocked or would have been in shadow mode, and how those contracts ended: with everything met later, let go with something missing, abandoned, over their time, or still open. And how long rollcall took to decide.',
    'It reads the ledger and what the hooks let through by themselves, and changes nothing. Look at it before you say rollcall gate mode enforce.',
  ],
  flags: {
    since: word('TIME', 'Only since then: 2h, 7d, 2026-03-01, 2026-03-01T14:30.', { default: A_WEEK }),
  },
  examples: {
    'rollcall gate report': 'the last seven days',
    'rollcall gate report --since=24h': 'since yesterday',
    "rollcall gate report --json | jq '.reasons'": 'why stops were let through, for programs',
  },
  exits: {
    done: 'the report was printed, also when there is nothing to tell yet',
    failed: 'the ledger could not be read',
    usage: 'an unknown flag or value',
  },
  run: async ({ flags, surroundings }) => {
    const since = readSince(flags.since ?? A_WEEK, surroundings.now());
    const report = await tallyGate(since, atHere(surroundings, flags));
    return show({ flags, surroundings }, toGateReportDocument(report, since), (width) =>
      gateReportLines(report, width),
    );
  },
});
