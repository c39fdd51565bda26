import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Head } from '../../core/ledger/chain.ts';
import { BEGINNING } from '../../core/ledger/chain.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { ChainCheck, LedgerDamage } from '../../core/ledger/verify-chain.ts';
import { verifyChain } from '../../core/ledger/verify-chain.ts';
import type { Database } from '../native/load-sqlite.ts';
import { EntryMalformed, selectEntries } from './entry-rows.ts';
import type { Place } from './place.ts';
import { checkVersion, versionOf } from './schema.ts';
import { isDamage, toLedgerError } from './sqlite-problem.ts';
import { rollBack } from './writer.ts';

/** A database as far as it can be relied on. */
export interface DatabaseRead extends ChainCheck {
  readonly entries: readonly LedgerEntry[];
}

export interface DatabaseQuestion {
  readonly anchor: Head | null;
  /** Where an earlier reading ended; the chain is followed from there. */
  readonly base?: Head;
  /** Also have SQLite look through every page. */
  readonly isThorough: boolean;
}

/** Reads a database without ever writing, up to the first entry that does not hold. */
export function readDatabase(place: Place, file: string, question: DatabaseQuestion): DatabaseRead {
  const path = join(place.folder, file);
  try {
    return looking(place, path, (database) =>
      atOneMoment(database, () => readChain(place, path, database, question)),
    );
  } catch (error) {
    if (!isDamage(error)) throw toLedgerError(error, path);
    const damage = unreadable(path, 1, (error as Error).message);
    return { entries: [], valid: 0, head: BEGINNING, damage };
  }
}

const MAX_RETRIES = 3;

/**
 * SQLite writes beside a database even to read it, unless it is told that nobody else will. That is so while it has no
 * journal: where one appears, or the file changes under the look, the look is taken again.
 */
function looking<T>(place: Place, path: string, look: (database: Database) => T): T {
  for (let attempt = 0; attempt < MAX_RETRIES && !existsSync(`${path}-wal`); attempt += 1) {
    const before = markOf(path);
    const frozen = tryFrozen(place, path);
    if (frozen === null) break;
    const seen = withDatabase(frozen, (database) => attempted(() => look(database)));
    if (!existsSync(`${path}-wal`) && markOf(path) === before) return seen();
  }
  return withDatabase(new place.Database(path, { readOnly: true }), (database) => {
    database.exec(`PRAGMA busy_timeout = ${place.busyTimeoutMs}`);
    return look(database);
  });
}

/** Holds back an error until it is known whether the look counts. */
function attempted<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function tryFrozen({ Database }: Place, path: string): Database | null {
  try {
    return new Database(`file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`, {
      readOnly: true,
    });
  } catch {
    // A Node.js whose SQLite takes no such address.
    return null;
  }
}

function markOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

export function withDatabase<T>(database: Database, use: (database: Database) => T): T {
  try {
    return use(database);
  } finally {
    database.close();
  }
}

function readChain(place: Place, path: string, database: Database, question: DatabaseQuestion): DatabaseRead {
  const { anchor, base = BEGINNING, isThorough } = question;
  const version = versionOf(database);
  checkVersion(version, path, place.migrations);
  const isTail = base.sequence > 0;
  // Of a tail the last entry that was read before comes again: it has to be there still, and the rest has to follow it.
  const { entries, damage } =
    version === 0 ? NOTHING : storedFrom(database, path, Math.max(1, base.sequence));
  const known = [...(isTail ? [base] : []), ...(anchor === null ? [] : [anchor])];
  const check = verifyChain(entries, place.digest, {
    ...(isTail && { base: { sequence: base.sequence - 1, hash: entries[0]?.previous ?? '' } }),
    // What cannot be read is not missing.
    anchors: damage === null ? known : [],
  });
  return {
    ...check,
    entries: entries.slice(isTail ? 1 : 0, check.valid),
    damage: check.damage ?? damage ?? (isThorough ? pageDamage(database, path, check.head) : null),
  };
}

/** All pages as they were at one moment. */
function atOneMoment<T>(database: Database, work: () => T): T {
  database.exec('BEGIN');
  try {
    return work();
  } finally {
    rollBack(database);
  }
}

interface Stored {
  readonly entries: readonly LedgerEntry[];
  readonly damage: LedgerDamage | null;
}

const NOTHING: Stored = { entries: [], damage: null };
const ROWS_AT_ONCE = 500;

/** All entries from a number on, up to the first that cannot be read. */
function storedFrom(database: Database, path: string, first: number): Stored {
  const entries: LedgerEntry[] = [];
  let limit = ROWS_AT_ONCE;
  for (;;) {
    const next = (entries.at(-1)?.sequence ?? first - 1) + 1;
    try {
      const rows = selectEntries(database, next, limit);
      entries.push(...rows);
      if (rows.length < limit) return { entries, damage: null };
    } catch (error) {
      const isMalformed = error instanceof EntryMalformed;
      if (!isMalformed && !isDamage(error)) throw error;
      // Those before the bad one, one by one.
      if (limit > 1) limit = 1;
      else if (isMalformed)
        return { entries, damage: { reason: 'changed', sequence: next, text: error.message } };
      else return { entries, damage: unreadable(path, next, (error as Error).message) };
    }
  }
}

/** What SQLite finds wrong with its pages although every entry could be read. */
function pageDamage(database: Database, path: string, head: Head): LedgerDamage | null {
  const [row] = database.prepare('PRAGMA integrity_check(1)').all() as { readonly integrity_check: string }[];
  const found = row?.integrity_check ?? 'no answer';
  if (found === 'ok') return null;
  const text = `every entry of ${basename(path)} can be read, but SQLite finds it damaged: ${found}`;
  return { reason: 'unreadable', sequence: head.sequence + 1, text };
}

function unreadable(path: string, sequence: number, text: string): LedgerDamage {
  return {
    reason: 'unreadable',
    sequence,
    text: `${basename(path)} cannot be read from entry ${sequence} on: ${text}`,
  };
}
