import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Head } from '../../core/ledger/chain.ts';
import { BEGINNING } from '../../core/ledger/chain.ts';
import { entriesAbout } from '../../core/ledger/entries-about.ts';
import type { Author } from '../../core/ledger/entry.ts';
import type { LedgerDamage } from '../../core/ledger/verify-chain.ts';
import type { Ledger, LedgerCheck, LedgerReading, LedgerSelection } from '../../ports/ledger.ts';
import { loadSqlite } from '../native/load-sqlite.ts';
import type { AnchorRead } from './anchor-file.ts';
import type { Place } from './place.ts';
import { anchorBeside, databaseFile, FIRST_DATABASE } from './place.ts';
import { readDatabase } from './read-database.ts';
import { repair } from './repair.ts';
import { MIGRATIONS, type Migration } from './schema.ts';
import { ledgerError, toLedgerError } from './sqlite-problem.ts';
import { createStillness } from './stillness.ts';
import type { Connection } from './writer.ts';
import { append, disconnect } from './writer.ts';

export interface SqliteLedgerOptions {
  /** A folder that only this user can write; the ledger lies in it. */
  readonly folder: string;
  readonly author: Author;
  readonly now: () => number;
  readonly busyTimeoutMs?: number;
  /** The steps that make the tables; others only to try out a later version. */
  readonly migrations?: readonly Migration[];
}

const BUSY_TIMEOUT_MS = 5000;

/** Opens the ledger of a folder. Nothing is made before the first entry is recorded. */
export async function openSqliteLedger(options: SqliteLedgerOptions): Promise<Ledger> {
  const { folder, author, now, busyTimeoutMs = BUSY_TIMEOUT_MS, migrations = MIGRATIONS } = options;
  const Database = await loadSqlite();
  if (Database === null)
    throw ledgerError('unavailable', folder, 'this Node.js cannot open SQLite databases');
  const place: Place = { Database, folder, digest: sha256, author, now, migrations, busyTimeoutMs };
  const stillness = createStillness(folder);
  const connection: Connection = { writer: null };
  const verify = () => check(place, { isThorough: true });
  return {
    append: (draft) => append(place, draft, connection),
    read(selection = {}) {
      const { after } = selection;
      if (after && stillness.isStill(after)) {
        return { isEmpty: false, entries: [], head: after, damage: null };
      }
      const found = stillness.noting(() => check(place, { isThorough: false, ...(after && { after }) }));
      return selected(found, selection);
    },
    verify,
    repair: () => repair(place, verify),
    close: () => disconnect(connection),
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

interface Question {
  readonly isThorough: boolean;
  readonly after?: Head;
}

function check(place: Place, { isThorough, after }: Question): LedgerCheck {
  const { folder } = place;
  try {
    const { read, unanchored } = anchorBeside(folder);
    const anchor = read.state === 'read' ? read.anchor : null;
    const file = anchor?.file ?? unanchored;
    const path = join(folder, file ?? FIRST_DATABASE);
    // Where neither was there, a database that appears meanwhile has an anchor that was not looked for.
    if (file === null || databaseFile(folder, file) === null) {
      const isNew = after === undefined && (read.state === 'absent' || anchor?.sequence === 0);
      return nothing(path, anchor, isNew ? null : lost(file ?? FIRST_DATABASE, anchor));
    }
    const known = anchor && { sequence: anchor.sequence, hash: anchor.hash };
    const seen = readDatabase(place, file, { anchor: known, isThorough, ...(after && { base: after }) });
    const damage = seen.damage ?? anchorDamage(read, file, seen.head);
    const isEmpty = seen.head.sequence === 0 && damage === null;
    return { isEmpty, entries: seen.entries, head: seen.head, damage, path, anchor: known };
  } catch (error) {
    throw toLedgerError(error, folder);
  }
}

function nothing(path: string, anchor: Head | null, damage: LedgerDamage | null): LedgerCheck {
  return { isEmpty: damage === null, entries: [], head: BEGINNING, damage, path, anchor };
}

function lost(file: string, anchor: Head | null): LedgerDamage {
  const count = anchor === null ? 'its entries' : `${anchor.sequence} entries or more`;
  return { reason: 'database-missing', sequence: 1, text: `${file}, which held ${count}, is gone` };
}

/** Without its anchor nobody can tell whether a chain lost its end. */
function anchorDamage(read: AnchorRead, file: string, { sequence }: Head): LedgerDamage | null {
  if (read.state === 'read') return null;
  const doubt = `so nobody can tell whether entries after ${sequence} are missing`;
  return read.state === 'absent'
    ? {
        reason: 'anchor-missing',
        sequence: sequence + 1,
        text: `ledger.head, the anchor of ${file}, is gone, ${doubt}`,
      }
    : { reason: 'anchor-unreadable', sequence: sequence + 1, text: `ledger.head: ${read.text}, ${doubt}` };
}

function selected(reading: LedgerReading, { since, about }: LedgerSelection): LedgerReading {
  const { isEmpty, head, damage } = reading;
  const named = about === undefined ? reading.entries : entriesAbout(reading.entries, about);
  const entries = since === undefined ? named : named.filter(({ at }) => at >= since);
  return { isEmpty, entries, head, damage };
}
