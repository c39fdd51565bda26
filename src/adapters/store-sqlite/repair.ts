import { closeSync, constants, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chain, headAt } from '../../core/ledger/chain.ts';
import { contentOf, type LedgerEntry } from '../../core/ledger/entry.ts';
import { bootNoted, MAX_BOOTS, REPAIR } from '../../core/ledger/loss.ts';
import { succeeds } from '../../core/try-or.ts';
import type { LedgerRepair } from '../../ports/ledger.ts';
import { openPlain } from '../files/own-file.ts';
import { syncFolder } from '../files/replace-file.ts';
import type { Database } from '../native/load-sqlite.ts';
import { replaceAnchor } from './anchor-file.ts';
import { checkLedger } from './check-ledger.ts';
import { insertEntry } from './entry-rows.ts';
import { type LedgerPlace, nextDatabase } from './place.ts';
import { isEmptied, withDatabase } from './read-database.ts';
import { migrate } from './schema.ts';
import { isDamage, toLedgerError } from './sqlite-problem.ts';
import { rollBack } from './transaction.ts';
import { knownHeads, replaceWitness } from './witness.ts';

const LOCK = 'ledger.lock';

/**
 * Begins a new database with all reliable entries and a note about the old one, then points the anchor to it. The
 * damaged one is not touched: another process may have it open, and its rest may still be wanted. A crash on the way
 * leaves everything as it was.
 */
export function repair(place: LedgerPlace): LedgerRepair {
  const { folder } = place;
  try {
    // Not even a lock is made for nothing; what counts is the second look, under it.
    const { reach } = checkLedger(place, { isThorough: true, begin: () => () => {} });
    if (reach.damage === null) return { state: 'intact' };
    return holding(place, join(folder, LOCK), () => {
      const { path } = checkLedger(place, { last: 1, begin: () => () => {} });
      const work = () => repaired(place);
      // Opening one that is gone would make it, and opening an emptied one would end its journal.
      return existsSync(path) && !isEmptied(path)
        ? keepingJournal(place, path, () => holding(place, path, work))
        : work();
    });
  } catch (error) {
    throw toLedgerError(error, folder);
  }
}

/** Keeps other processes from writing to a database meanwhile; one that is too broken for that, nobody can write to. */
function holding<T>({ Database, busyTimeoutMs }: LedgerPlace, path: string, work: () => T): T {
  const held = locked(new Database(path), busyTimeoutMs);
  try {
    return work();
  } finally {
    held?.exec('ROLLBACK');
    held?.close();
  }
}

/** The last to close a database writes its journal back and removes it, unless it may only read. */
function keepingJournal<T>({ Database }: LedgerPlace, path: string, work: () => T): T {
  if (!existsSync(`${path}-wal`)) return work();
  const reader = new Database(path, { readOnly: true });
  try {
    succeeds(() => reader.exec('SELECT count(*) FROM sqlite_schema'));
    return work();
  } finally {
    reader.close();
  }
}

function locked(database: Database, busyTimeoutMs: number): Database | null {
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; BEGIN IMMEDIATE`);
    return database;
  } catch (error) {
    database.close();
    if (isDamage(error)) return null;
    throw error;
  }
}

function repaired(place: LedgerPlace): LedgerRepair {
  const { folder } = place;
  const file = nextDatabase(
    folder,
    knownHeads(place).map((one) => one.file),
  );
  const temporary = join(folder, `${file}.new`);
  const carried = carryOver(place, temporary);
  if (carried === null) return { state: 'intact' };
  renameSync(temporary, join(folder, file));
  syncFolder(folder);
  const { damage, path, kept, head } = carried;
  replaceAnchor(folder, { file, ...head });
  replaceWitness(folder, { file, ...head });
  return { state: 'repaired', damage, kept, leftPath: path, path: join(folder, file) };
}

/** Under another name until it is complete and on the disk. */
function carryOver(place: LedgerPlace, temporary: string): ReturnType<typeof copyInto> {
  const discard = () => {
    rmSync(temporary, { force: true });
    rmSync(`${temporary}-journal`, { force: true });
  };
  discard();
  const { O_RDWR, O_CREAT, O_EXCL } = constants;
  closeSync(openPlain(temporary, O_RDWR | O_CREAT | O_EXCL));
  const carried = withDatabase(new place.Database(temporary), (database) =>
    copyInto(place, database, temporary),
  );
  if (carried === null) discard();
  return carried;
}

function copyInto(place: LedgerPlace, database: Database, temporary: string) {
  const { folder, author, digest } = place;
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  let kept = 0;
  const boots = new Set<string>();
  const begin = () => {
    rollBack(database);
    boots.clear();
    database.exec('BEGIN IMMEDIATE');
    migrate(database, temporary, place);
    kept = 0;
    return (entry: LedgerEntry) => {
      insertEntry(database, entry);
      boots.add(bootNoted(entry));
      kept += 1;
    };
  };
  // One that is too broken to be opened is not even begun to be read.
  begin();
  const { reach, path } = checkLedger(place, { isThorough: true, begin });
  const { damage, head } = reach;
  if (damage === null) return null;
  const { reason, text } = damage;
  const ticks = place.ticks();
  const body = {
    left: path.slice(folder.length + 1),
    sequence: head.sequence,
    hash: head.hash,
    reason,
    text,
    // What began after this moment, by the clock of this boot, cannot be among what was lost.
    ...(ticks !== null && { ticks }),
    boots: [...boots].slice(-MAX_BOOTS),
  };
  const draft = { kind: 'note', action: REPAIR, session: null, body } as const;
  const note = chain(head, contentOf(draft, author, place.now()), digest);
  insertEntry(database, note);
  database.exec('COMMIT');
  return { damage, path, kept, head: headAt(note) };
}
