import { join } from 'node:path';
import { hashOf } from '../../core/ledger/chain.ts';
import { isMeant } from '../../core/ledger/entries-about.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { Database } from '../native/load-sqlite.ts';
import { EntryMalformed, selectEntry } from './entry-rows.ts';
import type { LedgerPlace } from './place.ts';
import { lookAt } from './read-database.ts';
import { versionOf } from './schema.ts';

/**
 * The entries about what a word names, found by SQLite: of all others only names and numbers are read. Each is checked
 * against its own hash. Throws an EntryMalformed for one that does not fit.
 */
export function selectAbout(place: LedgerPlace, file: string, word: string): readonly LedgerEntry[] {
  return lookAt(place, join(place.folder, file), (database) => {
    if (versionOf(database) === 0) return [];
    const numbers = numbersAbout(database, word);
    return [...numbers]
      .sort((one, other) => one - other)
      .flatMap((sequence) => genuine(place, database, sequence));
  });
}

function genuine(place: LedgerPlace, database: Database, sequence: number): LedgerEntry[] {
  const entry = selectEntry(database, sequence);
  if (entry === null) return [];
  if (hashOf(entry, place.digest) === entry.hash) return [entry];
  throw new EntryMalformed(`entry ${sequence} was changed: its hash does not fit what it says`);
}

interface Numbered {
  readonly sequence: number;
  readonly cause: number | null;
}

function numbersAbout(database: Database, word: string): Set<number> {
  const found: Numbered[] = [];
  const take = (sql: string, ...values: string[]) =>
    found.push(
      ...(database.prepare(`SELECT sequence, cause FROM entry WHERE ${sql}`).all(...values) as Numbered[]),
    );
  for (const { key, name } of namesIn(database)) {
    if (!isMeant({ key, name }, word) && !word.endsWith(`:${name}`)) continue;
    if (key === null) take('session_key IS NULL AND session_name = ?', name);
    else take('session_key = ?', key);
  }
  for (const key of closedAs(database, word)) take('session_key = ?', key);
  const numbers = new Set(
    found.flatMap(({ sequence, cause }) => [sequence, ...(cause === null ? [] : [cause])]),
  );
  if (numbers.size === 0) return numbers;
  // An intent and what came of it stay together.
  const caused = database.prepare('SELECT sequence, cause FROM entry WHERE cause IS NOT NULL').all();
  const others = (caused as { sequence: number; cause: number }[]).filter(({ cause }) => numbers.has(cause));
  return new Set([...numbers, ...others.map(({ sequence }) => sequence)]);
}

function namesIn(database: Database): readonly { readonly key: string | null; readonly name: string }[] {
  const sql =
    'SELECT DISTINCT session_key AS key, session_name AS name FROM entry WHERE session_name IS NOT NULL';
  const found = database.prepare(sql).all() as { key: string | null; name: string }[];
  const isText = (value: unknown) => value === null || typeof value === 'string';
  if (found.every(({ key, name }) => isText(key) && isText(name))) return found;
  throw new EntryMalformed('the name of a session is not what rollcall writes');
}

/** Sessions whose receipt has this name. */
function closedAs(database: Database, word: string): readonly string[] {
  const sql = `SELECT session_key AS key FROM entry WHERE kind = 'receipt' AND session_key IS NOT NULL
    AND (sequence || '-' || substr(hash, 1, 8) = ?1 OR (json_valid(body) AND json_extract(body, '$.receipt') = ?1))`;
  return (database.prepare(sql).all(word) as { readonly key: string }[]).map(({ key }) => key);
}
