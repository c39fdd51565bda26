import type { Database } from '../native/load-sqlite.ts';
import { ledgerError } from './sqlite-problem.ts';

/** Brings a database from one version to the next. */
export type Migration = (database: Database) => void;

/**
 * One step per version; a released step never changes. Reading does not migrate: version 1 must have all that is
 * selected.
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

/** Brings a database up to date, all steps or none; call it inside a transaction. */
export function migrate(database: Database, path: string, migrations: readonly Migration[]): void {
  const version = versionOf(database);
  checkVersion(version, path, migrations);
  if (version === migrations.length) return;
  for (const step of migrations.slice(version)) step(database);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

/** Refuses what a later rollcall made: it may mean something that this one does not know. */
export function checkVersion(version: number, path: string, migrations: readonly Migration[]): void {
  if (version <= migrations.length) return;
  const text = `it was made by a later version of rollcall (it has format ${version}, this one knows ${migrations.length})`;
  throw ledgerError('newer', path, text);
}
