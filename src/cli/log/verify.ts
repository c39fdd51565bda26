import { toVerifyDocument } from '../../contract/ledger-documents.ts';
import { createArchiveCheck } from '../../engine/check-archives.ts';
import { withLedger } from '../../operations/with-hands.ts';
import { defineCommand } from '../frame/command.ts';
import { toggle } from '../frame/flags.ts';
import { show } from '../render/show.ts';
import { archiveLines, checkLines, repairLines } from './ledger-check.ts';

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Check that the ledger is whole: nothing changed, missing or reordered.',
  usage: ['rollcall verify [flags]'],
  description: [
    'Follows the chain of hashes through every entry of the ledger and has SQLite look through its pages. Where an entry was changed, removed, moved or copied, or the end was cut off, it says which entry is the first that cannot be relied on, and why.',
    'Archives of closed sessions are compared with the digests that their receipts have: one that was changed is named, and rollcall reopen refuses it. One that was removed is only counted.',
    'Checking never writes. A ledger whose end is damaged takes no new entries, so that nothing is built on it; --repair goes on in a new database with every entry before the damage and a note about it, and leaves the damaged one as it is.',
    'The chain shows accidents and edits. It does not stop somebody who can write your files from rewriting the whole ledger and its anchor together.',
  ],
  flags: {
    repair: toggle('Where it is damaged, go on in a new database with all entries that can be relied on.'),
  },
  examples: {
    'rollcall verify': 'is the ledger whole?',
    'rollcall verify --repair': 'go on after a damage',
    "rollcall verify --json | jq '.damage'": 'for programs',
  },
  exits: {
    done: 'it is intact, empty, or was repaired, and no archive was changed',
    failed: 'it is damaged, or could not be read; or an archive was changed',
    usage: 'an unknown flag',
  },
  run: ({ flags, surroundings }) =>
    withLedger(surroundings.ledger, async (ledger) => {
      const repair = flags.repair ? ledger.repair() : null;
      const archives = createArchiveCheck(await surroundings.archive());
      const check = ledger.verify(archives.begin);
      const compared = archives.compare();
      show({ flags, surroundings }, toVerifyDocument(check, repair, compared), (width) => [
        ...(repair === null ? [] : repairLines(repair, width)),
        ...checkLines(check, surroundings.now(), width),
        ...archiveLines(compared, width),
      ]);
      return check.damage === null && compared.changed.length === 0 ? 0 : 1;
    }),
});
