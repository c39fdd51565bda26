import { join } from 'node:path';
import { BEGINNING, type Head } from '../../core/ledger/chain.ts';
import type { LedgerDamage } from '../../core/ledger/verify-chain.ts';
import type { LedgerReach } from '../../ports/ledger.ts';
import type { AnchorRead } from './anchor-file.ts';
import type { DatabaseQuestion } from './follow-chain.ts';
import { anchorBeside, databaseFile, FIRST_DATABASE, type LedgerPlace } from './place.ts';
import { readDatabase } from './read-database.ts';
import { toLedgerError } from './sqlite-problem.ts';
import { goneBack, headsIn, knownHeads } from './witness.ts';

/** What is asked of a ledger; what is known of it from elsewhere is added. */
export type LedgerQuestion = Omit<DatabaseQuestion, 'anchors' | 'isThorough'> & {
  readonly isThorough?: boolean;
};

/** How far a ledger can be relied on, and where it lies. */
export interface Checked {
  readonly reach: LedgerReach;
  /** The database in use; where there is none, the one that would be. */
  readonly file: string;
  readonly path: string;
  readonly anchor: Head | null;
}

/** Reads the ledger, and holds it against everything that is known of it. */
export function checkLedger(place: LedgerPlace, question: LedgerQuestion): Checked {
  const { folder } = place;
  try {
    const heads = knownHeads(place);
    const { read, unanchored } = anchorBeside(folder);
    const anchor = read.state === 'read' ? read.anchor : null;
    const file = anchor?.file ?? unanchored;
    const known = headsIn(file, heads);
    // Where neither was there, a database that appears meanwhile has an anchor that was not looked for.
    if (file === null || databaseFile(folder, file) === null) {
      question.begin();
      const isNew = read.state === 'absent' || anchor?.sequence === 0;
      const isLost = !isNew || question.base !== undefined || known.length > 0;
      const last = Math.max(anchor?.sequence ?? 0, ...known.map(({ sequence }) => sequence));
      return nothing(place, file ?? known[0]?.file ?? FIRST_DATABASE, anchor, isLost ? last : null);
    }
    const seen = readDatabase(place, file, {
      isThorough: false,
      ...question,
      anchors: [anchor, ...known.filter((one) => one.file === file)].flatMap((one) => headOf(one) ?? []),
    });
    const damage = seen.damage ?? goneBack(file, seen.head, known) ?? anchorDamage(read, file, seen.head);
    const isEmpty = seen.head.sequence === 0 && damage === null;
    const reach = { isEmpty, head: seen.head, damage };
    return { reach, file, path: join(folder, file), anchor: headOf(anchor) };
  } catch (error) {
    throw toLedgerError(error, folder);
  }
}

function headOf(anchor: Head | null): Head | null {
  return anchor && { sequence: anchor.sequence, hash: anchor.hash };
}

function nothing({ folder }: LedgerPlace, file: string, anchor: Head | null, lost: number | null): Checked {
  const count = lost === 0 ? 'its entries' : `${lost} entries or more`;
  const text = `${file}, which held ${count}, is gone`;
  const damage = lost === null ? null : ({ reason: 'database-missing', sequence: 1, text } as const);
  const reach = { isEmpty: damage === null, head: BEGINNING, damage };
  return { reach, file, path: join(folder, file), anchor: headOf(anchor) };
}

/** Without its anchor nobody can tell whether a chain lost its end. */
function anchorDamage(read: AnchorRead, file: string, { sequence }: Head): LedgerDamage | null {
  if (read.state === 'read') return null;
  const doubt = `so nobody can tell whether entries after ${sequence} are missing`;
  const next = sequence + 1;
  if (read.state === 'unreadable')
    return { reason: 'anchor-unreadable', sequence: next, text: `ledger.head: ${read.text}, ${doubt}` };
  const text = `ledger.head, the anchor of ${file}, is gone, ${doubt}`;
  return { reason: 'anchor-missing', sequence: next, text };
}
