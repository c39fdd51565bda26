import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BEGINNING, type Head, headAt } from '../../core/ledger/chain.ts';
import type { LedgerDamage } from '../../core/ledger/verify-chain.ts';
import { tryOr } from '../../core/try-or.ts';
import { markAt } from '../files/file-mark.ts';
import type { Database } from '../native/load-sqlite.ts';
import {
  type DatabaseQuestion,
  type DatabaseRead,
  followChain,
  unreadable,
  type Visit,
} from './follow-chain.ts';
import type { LedgerPlace } from './place.ts';
import { rescued } from './rescue.ts';
import { checkVersion, schemaObjection } from './schema.ts';
import { isDamage, StoreMalformed, toLedgerError } from './sqlite-problem.ts';
import { rollBack } from './transaction.ts';

/**
 * Reads a database without ever writing, up to the first entry that does not hold. What SQLite cannot read is looked for in
 * its files, as far as the chain goes on.
 */
export function readDatabase(place: LedgerPlace, file: string, question: DatabaseQuestion): DatabaseRead {
  const path = join(place.folder, file);
  let visit: Visit = () => {};
  const begin = () => {
    visit = question.begin();
    return visit;
  };
  const { head, damage } = readBySqlite(place, path, { ...question, begin });
  if (damage === null || question.base !== undefined || question.last !== undefined) return { head, damage };
  let last = head;
  for (const entry of rescued(path, head, question.anchors, place.digest)) {
    visit(entry);
    last = headAt(entry);
  }
  return { head: last, damage: last === head ? damage : withRescued(damage, head, last) };
}

function withRescued(damage: LedgerDamage, { sequence: from }: Head, { sequence: to }: Head): LedgerDamage {
  const which = from + 1 === to ? `entry ${to} was` : `entries ${from + 1} to ${to} were`;
  return { ...damage, sequence: to + 1, text: `${damage.text}; ${which} found in its files all the same` };
}

function readBySqlite(place: LedgerPlace, path: string, question: DatabaseQuestion): DatabaseRead {
  try {
    return lookAt(place, path, (database) => {
      const check = followChain(place, path, database, question);
      const isWhole = check.damage === null && question.isThorough;
      return isWhole ? { ...check, damage: pageDamage(place, database, path, check.head) } : check;
    });
  } catch (error) {
    if (!isDamage(error)) throw toLedgerError(error, path);
    question.begin();
    return { head: BEGINNING, damage: unreadable(path, 1, (error as Error).message) };
  }
}

/** SQLite throws away the journal of a database without a page, and with it entries that are nowhere else. */
export function isEmptied(path: string): boolean {
  const sizeOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf(path) === 0 && sizeOf(`${path}-wal`) > 0;
}

/** Looks at a database as it is at one moment, without writing. */
export function lookAt<T>(place: LedgerPlace, path: string, look: (database: Database) => T): T {
  if (isEmptied(path)) throw new StoreMalformed('it is empty, but has a journal');
  return looking(place, path, (database) => {
    database.exec('BEGIN');
    try {
      checkVersion(database, path, place);
      return look(database);
    } finally {
      rollBack(database);
    }
  });
}

const MAX_RETRIES = 3;

/**
 * SQLite writes beside a database even to read it, unless it is told that nobody else writes. That holds while there is
 * no journal: if one appears, or the file changes meanwhile, the look is repeated.
 */
function looking<T>(place: LedgerPlace, path: string, look: (database: Database) => T): T {
  for (let attempt = 0; attempt < MAX_RETRIES && !existsSync(`${path}-wal`); attempt += 1) {
    const before = markAt(path);
    const frozen = tryFrozen(place, path);
    if (frozen === null) break;
    const seen = withDatabase(frozen, (database) => attempted(() => look(database)));
    if (!existsSync(`${path}-wal`) && markAt(path) === before) return seen();
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

function tryFrozen({ Database }: LedgerPlace, path: string): Database | null {
  const address = `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`;
  // Not every Node.js has an SQLite that takes such an address.
  return tryOr(null, () => new Database(address, { readOnly: true }));
}

export function withDatabase<T>(database: Database, use: (database: Database) => T): T {
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** What is wrong with its pages or its tables although every entry could be read. */
function pageDamage(place: LedgerPlace, database: Database, path: string, head: Head): LedgerDamage | null {
  const found = objectionIn(place, database);
  if (found === null) return null;
  const text = `every entry of ${basename(path)} can be read, but it is damaged: ${found}`;
  return { reason: 'unreadable', sequence: head.sequence + 1, text };
}

function objectionIn(place: LedgerPlace, database: Database): string | null {
  try {
    const [row] = database.prepare('PRAGMA integrity_check(1)').all() as {
      readonly integrity_check: string;
    }[];
    const found = row?.integrity_check ?? 'no answer';
    return found === 'ok' ? schemaObjection(database, place) : found;
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  }
}
