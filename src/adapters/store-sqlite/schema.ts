import type { Database, OpenDatabase } from '../native/load-sqlite.ts';
import { ledgerError, StoreMalformed } from './sqlite-problem.ts';

/** Brings a database from one version to the next. */
export type Migration = (database: Database) => void;

/**
 * One step per version; a released step never changes. Reading does not migrate: version 1 must have all that is
 * selected. Each step changes a table or an index, so that a later format is not taken for a version number that was
 * changed by accident.
 */
export const MIGRATIONS: readonly Migration[] = [createTables];

function createTables(database: Database): void {
  database.exec(`
    CREATE TABLE entry (
      sequence INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      host TEXT NOT NULL,
      boot_id TEXT NOT NULL,
      actor_kind TEXT NOT NULL,
      actor_pid INTEGER NOT NULL,
      actor_user TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('intent', 'outcome', 'receipt', 'declared', 'note')),
      action TEXT NOT NULL,
      session_key TEXT,
      session_name TEXT,
      cause INTEGER REFERENCES entry (sequence),
      body TEXT NOT NULL,
      previous TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      CHECK (session_key IS NULL OR session_name IS NOT NULL),
      CHECK (kind <> 'outcome' OR cause IS NOT NULL)
    ) STRICT;
    CREATE UNIQUE INDEX one_outcome ON entry (cause) WHERE kind = 'outcome';
    CREATE TRIGGER entries_stay BEFORE DELETE ON entry BEGIN
      SELECT RAISE(ABORT, 'an entry of the ledger is never removed');
    END;
    CREATE TRIGGER entries_are_final BEFORE UPDATE ON entry BEGIN
      SELECT RAISE(ABORT, 'an entry of the ledger is never changed');
    END;
    CREATE TRIGGER entries_follow BEFORE INSERT ON entry
    WHEN NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM entry)
      OR NEW.previous <> coalesce((SELECT hash FROM entry ORDER BY sequence DESC LIMIT 1), NEW.previous)
    BEGIN
      SELECT RAISE(ABORT, 'an entry of the ledger follows the last one');
    END;
    CREATE TRIGGER outcomes_end_intents BEFORE INSERT ON entry
    WHEN NEW.kind = 'outcome'
      AND NOT EXISTS (SELECT 1 FROM entry WHERE sequence = NEW.cause AND kind = 'intent')
    BEGIN
      SELECT RAISE(ABORT, 'an outcome belongs to an intent');
    END;
  `);
}

/** The version that a database has; 0 before it has any table. */
export function versionOf(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  return row.user_version;
}

/** What knows how the tables of each version look. */
export interface SchemaPlace {
  readonly Database: OpenDatabase;
  readonly migrations: readonly Migration[];
}

/** Brings a database up to date, all steps or none; call it inside a transaction. */
export function migrate(database: Database, path: string, place: SchemaPlace): void {
  const { migrations } = place;
  const version = versionOf(database);
  checkVersion(database, path, place);
  if (version === migrations.length) return;
  for (const step of migrations.slice(version)) step(database);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

/** Refuses what a later rollcall made: it may mean something that this one does not know. */
export function checkVersion(database: Database, path: string, place: SchemaPlace): void {
  const version = versionOf(database);
  const { length } = place.migrations;
  if (version >= 0 && version <= length) return;
  const tables = tablesIn(database);
  const isKnown = place.migrations.some((_, index) => tables === tablesOf(place, index + 1));
  if (version < 0 || isKnown) throw new StoreMalformed(`its version is ${version}, which its tables are not`);
  const text = `it was made by a later version of rollcall (it has format ${version}, this one knows ${length})`;
  throw ledgerError('newer', path, text);
}

/** What is wrong with the tables, if they are not those of their version: SQLite does not look after that itself. */
export function schemaObjection(database: Database, place: SchemaPlace): string | null {
  const version = versionOf(database);
  if (tablesIn(database) === tablesOf(place, version)) return null;
  return `its tables are not those of format ${version}`;
}

function tablesOf({ Database, migrations }: SchemaPlace, version: number): string {
  const database = new Database(':memory:');
  try {
    for (const step of migrations.slice(0, version)) step(database);
    return tablesIn(database);
  } finally {
    database.close();
  }
}

function tablesIn(database: Database): string {
  const sql = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name';
  return JSON.stringify(database.prepare(sql).all());
}
