import { ENTRY_KINDS, type EntryKind, type LedgerEntry } from '../../core/ledger/entry.ts';
import { canonicalJson, type JsonObject } from '../../core/ledger/json.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Database } from '../native/load-sqlite.ts';

const COLUMNS =
  'sequence, at, host, boot_id, actor_kind, actor_pid, actor_user, kind, action, session_key, session_name, cause, body, previous, hash';

const INSERT = `INSERT INTO entry (${COLUMNS}) VALUES (${COLUMNS.replace(/\w+/g, '?')})`;

/** Stores an entry as it is. */
export function insertEntry(database: Database, entry: LedgerEntry): void {
  const { sequence, at, host, bootId, actor, kind, action, session, cause, body, previous, hash } = entry;
  database
    .prepare(INSERT)
    .run(
      ...[sequence, at, host, bootId, actor.kind, actor.pid, actor.user, kind, action],
      ...[session?.key ?? null, session?.name ?? null, cause, canonicalJson(body), previous, hash],
    );
}

/** Stored entries from a number on, in order. Throws an EntryMalformed for one that holds something else. */
export function selectEntries(database: Database, from: number, limit: number): LedgerEntry[] {
  const sql = `SELECT ${COLUMNS} FROM entry WHERE sequence >= ? ORDER BY sequence LIMIT ?`;
  return database.prepare(sql).all(from, limit).map(toEntry);
}

export function selectLast(database: Database): LedgerEntry | null {
  const row = database.prepare(`SELECT ${COLUMNS} FROM entry ORDER BY sequence DESC LIMIT 1`).get();
  return row === undefined ? null : toEntry(row);
}

/** The number of the last entry; 0 where there is none. */
export function lastSequence(database: Database): number {
  const row = database.prepare('SELECT max(sequence) AS last FROM entry').get() as { readonly last: unknown };
  return typeof row.last === 'number' ? row.last : 0;
}

/** The entry of a number; null where it is not there. */
export function selectEntry(database: Database, sequence: number): LedgerEntry | null {
  const row = database.prepare(`SELECT ${COLUMNS} FROM entry WHERE sequence = ?`).get(sequence);
  return row === undefined ? null : toEntry(row);
}

/** The entry that a row tells of, from its values in their order; its number is stored beside them. Null where it is none. */
export function entryOf(values: readonly unknown[] | null, sequence: number): LedgerEntry | null {
  if (values === null) return null;
  const names = COLUMNS.split(', ');
  const row = Object.fromEntries(names.map((name, index) => [name, values[index]]));
  return tryOr(null, () => toEntry({ ...row, sequence }));
}

/** A stored entry that no rollcall has written. */
export class EntryMalformed extends Error {
  override readonly name = 'EntryMalformed';
}

function toEntry(value: unknown): LedgerEntry {
  const row = value as Readonly<Record<string, unknown>>;
  const key = row.session_key === null ? null : textIn(row, 'session_key');
  return {
    sequence: numberIn(row, 'sequence'),
    at: numberIn(row, 'at'),
    host: textIn(row, 'host'),
    bootId: textIn(row, 'boot_id'),
    actor: {
      kind: textIn(row, 'actor_kind'),
      pid: numberIn(row, 'actor_pid'),
      user: textIn(row, 'actor_user'),
    },
    kind: kindIn(row),
    action: textIn(row, 'action'),
    session: row.session_name === null ? null : { key, name: textIn(row, 'session_name') },
    cause: row.cause === null ? null : numberIn(row, 'cause'),
    body: bodyIn(row),
    previous: textIn(row, 'previous'),
    hash: textIn(row, 'hash'),
  };
}

type Row = Readonly<Record<string, unknown>>;

function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw malformed(row, column);
}

function numberIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw malformed(row, column);
}

function kindIn(row: Row): EntryKind {
  const kind = ENTRY_KINDS.find((known) => known === row.kind);
  if (kind === undefined) throw malformed(row, 'kind');
  return kind;
}

// Only the form in which it was hashed: another one that means the same was still changed.
function bodyIn(row: Row): JsonObject {
  const text = textIn(row, 'body');
  try {
    const body = JSON.parse(text) as JsonObject;
    if (text.startsWith('{') && canonicalJson(body) === text) return body;
  } catch {
    // Told below.
  }
  throw malformed(row, 'body');
}

function malformed(row: Row, column: string): EntryMalformed {
  return new EntryMalformed(`the ${column} of entry ${row.sequence} is not what rollcall writes`);
}
