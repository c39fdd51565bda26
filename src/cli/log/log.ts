import { toLogDocument } from '../../contract/ledger-documents.ts';
import type { LogWish } from '../../operations/at.ts';
import { Failure } from '../../operations/failure.ts';
import { readLog } from '../../operations/log.ts';
import { withLedger } from '../../operations/with-hands.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle, word } from '../frame/flags.ts';
import { isColor } from '../frame/is-color.ts';
import { ONE_SESSION } from '../frame/session-words.ts';
import { writeJson } from '../frame/write-json.ts';
import { followLedger } from './follow-ledger.ts';
import { printDamage, printEntries } from './print-entries.ts';
import { readSince } from './since.ts';

export const logCommand = defineCommand({
  name: 'log',
  summary: 'Show what was intended, done and declared.',
  usage: ['rollcall log [SESSION] [flags]'],
  description: [
    'Prints the ledger, the newest entry last: an intent before each action, its outcome after it, receipts, and what was declared. With SESSION only what concerns it, also from before it was renamed, and every generation of sessions that had this name.',
    'Only entries that can be relied on are shown; with --limit alone only the chain of those is followed. Where the ledger is damaged, what comes before the damage is printed, the damage is named, and the exit code is 1. Looking never writes.',
  ],
  flags: {
    since: word('TIME', 'Only entries since then: 2h, 7d, 2026-03-01, 2026-03-01T14:30.'),
    limit: word('N', 'Only the last N of them.'),
    follow: toggle('Go on and print new entries as they come; with --json one document per line.', 'f'),
  },
  positional: {
    ...ONE_SESSION,
    min: 0,
    help: 'Name, $id or key of a session; it need not exist any more.',
  },
  examples: {
    'rollcall log --since=2h': 'the last two hours',
    'rollcall log build --limit=20': 'the last 20 entries about one session',
    'rollcall log --follow': 'live',
    'rollcall log --json | jq \'.entries[] | select(.kind == "receipt")\'': 'for programs',
  },
  exits: {
    done: 'the entries were printed, also when there are none; or following was ended',
    failed: 'the ledger is damaged, or could not be read',
    usage: 'an unknown flag or value',
    'not-found': 'no entry was ever recorded about SESSION',
  },
  run: async ({ flags, words: [about], surroundings }) => {
    const { since, limit, json: isJson } = flags;
    const wish: LogWish = {
      ...(about !== undefined && { session: about }),
      ...(since !== undefined && { since: readSince(since, surroundings.now()) }),
      ...(limit !== undefined && { limit: readLimit(limit) }),
    };
    const printer = { ...surroundings, isJson, isColor: isColor(flags, surroundings) };
    return withLedger(surroundings.ledger, (ledger) => {
      if (flags.follow) return followLedger(ledger, wish, printer, surroundings);
      const reading = readLog(ledger, wish);
      if (isJson) writeJson(surroundings.stdout, toLogDocument(reading));
      else {
        const { isEmpty, entries, damage } = reading;
        const none = isEmpty
          ? 'The ledger is empty: nothing has been recorded yet.'
          : 'Nothing was recorded in that time.';
        if (entries.length === 0 && damage === null) surroundings.stdout.write(`${none}\n`);
        printEntries(printer, reading.entries);
        if (reading.damage !== null) printDamage(printer, reading.damage);
      }
      return reading.damage === null ? 0 : 1;
    });
  },
});

function readLimit(written: string): number {
  if (/^\d{1,9}$/.test(written) && Number(written) > 0) return Number(written);
  throw new Failure('usage', `--limit=${written} is not a number of entries`, { hint: 'write --limit=20' });
}
