import { closeSync, constants, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chain, headAt } from '../../core/ledger/chain.ts';
import { contentOf } from '../../core/ledger/entry.ts';
import type { LedgerCheck, LedgerRepair } from '../../ports/ledger.ts';
import type { Database } from '../native/load-sqlite.ts';
import { replaceAnchor, syncFolder } from './anchor-file.ts';
import { insertEntry } from './entry-rows.ts';
import type { Place } from './place.ts';
import { nextDatabase } from './place.ts';
import { withDatabase } from './read-database.ts';
import { migrate } from './schema.ts';
import { isDamage, toLedgerError } from './sqlite-problem.ts';
import { inTransaction } from './writer.ts';

const LOCK = 'ledger.lock';

/**
 * Begins a new database with every entry that can be relied on and a note about the one that was left, then points the
 * anchor to it. The damaged one is not touched: a process that still has it open must not find another in its place, and
 * what cannot be relied on may still be wanted. A crash on the way leaves everything as it was.
 */
export function repair(place: Place, check: () => LedgerCheck): LedgerRepair {
  const { folder } = place;
  try {
    // Not even a lock is made for nothing; what counts is the second look, under it.
    if (check().damage === null) return { state: 'intact' };
    return holding(place, join(folder, LOCK), () => {
      const { path } = check();
      const work = () => repaired(place, check());
      // Opening one that is gone would make it.
      return existsSync(path) ? holding(place, path, work) : work();
    });
  } catch (error) {
    throw toLedgerError(error, folder);
  }
}

/** Keeps other processes from writing to a database meanwhile; one that is too broken for that, nobody can write to. */
function holding<T>({ Database, busyTimeoutMs }: Place, path: string, work: () => T): T {
  const held = lock(() => new Database(path), busyTimeoutMs);
  try {
    return work();
  } finally {
    held?.exec('ROLLBACK');
    held?.close();
  }
}

function lock(open: () => Database, busyTimeoutMs: number): Database | null {
  const database = open();
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; BEGIN IMMEDIATE`);
    return database;
  } catch (error) {
    database.close();
    if (isDamage(error)) return null;
    throw error;
  }
}

function repaired(place: Place, { damage, entries, head, path }: LedgerCheck): LedgerRepair {
  if (damage === null) return { state: 'intact' };
  const { folder, author, digest } = place;
  const left = path.slice(folder.length + 1);
  const { reason, text } = damage;
  const body = { left, sequence: head.sequence, hash: head.hash, reason, text };
  const draft = { kind: 'note', action: 'repair', session: null, body } as const;
  const note = chain(head, contentOf(draft, author, place.now()), digest);
  const file = nextDatabase(folder);
  writeWhole(place, file, [...entries, note]);
  replaceAnchor(folder, { file, ...headAt(note) });
  return { state: 'repaired', damage, kept: entries.length, leftPath: path, path: join(folder, file) };
}

/** Under another name until it is complete and on the disk. */
function writeWhole(place: Place, file: string, entries: LedgerCheck['entries']): void {
  const { folder, Database, migrations } = place;
  const temporary = join(folder, `${file}.new`);
  rmSync(temporary, { force: true });
  rmSync(`${temporary}-journal`, { force: true });
  const { O_RDWR, O_CREAT, O_EXCL } = constants;
  closeSync(openSync(temporary, O_RDWR | O_CREAT | O_EXCL, 0o600));
  withDatabase(new Database(temporary), (database) => {
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    inTransaction(database, 0, () => {
      migrate(database, temporary, migrations);
      for (const entry of entries) insertEntry(database, entry);
    });
  });
  renameSync(temporary, join(folder, file));
  syncFolder(folder);
}
