import { toVerifyDocument } from '../../contract/ledger-documents.ts';
import { defineCommand } from '../command.ts';
import { isColor } from '../is-color.ts';
import { withLedger } from '../ledger/with-ledger.ts';
import { checkLines, repairLines } from '../render/ledger-check.ts';
import { printLines } from '../render/line.ts';
import { writeJson } from '../write-json.ts';

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Check that the ledger is whole: nothing changed, missing or reordered.',
  usage: ['rollcall verify [flags]'],
  description: [
    'Follows the chain of hashes through every entry of the ledger and has SQLite look through its pages. Where an entry was changed, removed, moved or copied, or the end was cut off, it says which entry is the first that cannot be relied on, and why.',
    'Checking never writes. A ledger whose end is damaged takes no new entries, so that nothing is built on it; --repair goes on in a new database with every entry before the damage and a note about it, and leaves the damaged one as it is.',
    'The chain shows accidents and edits. It does not stop somebody who can write your files from rewriting the whole ledger and its anchor together.',
  ],
  flags: {
    repair: {
      kind: 'switch',
      help: 'Where it is damaged, go on in a new database with all entries that can be relied on.',
    },
  },
  positional: null,
  examples: [
    { command: 'rollcall verify', what: 'is the ledger whole?' },
    { command: 'rollcall verify --repair', what: 'go on after a damage' },
    { command: "rollcall verify --json | jq '.damage'", what: 'for programs' },
  ],
  exits: [
    { name: 'done', when: 'it is intact, empty, or was repaired' },
    { name: 'failed', when: 'it is damaged, or could not be read' },
    { name: 'usage', when: 'an unknown flag' },
  ],
  run: ({ flags, surroundings }) =>
    withLedger(surroundings, (ledger) => {
      const { stdout, now } = surroundings;
      const repair = flags.repair ? ledger.repair() : null;
      const check = ledger.verify();
      if (flags.json) writeJson(stdout, toVerifyDocument(check, repair));
      else {
        const lines = [
          ...(repair === null ? [] : repairLines(repair, stdout.columns)),
          ...checkLines(check, now(), stdout.columns),
        ];
        stdout.write(printLines(lines, isColor(flags, surroundings)));
      }
      return check.damage === null ? 0 : 1;
    }),
});
