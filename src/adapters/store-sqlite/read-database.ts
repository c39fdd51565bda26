import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BEGINNING, type Head } from '../../core/ledger/chain.ts';
import type { LedgerDamage } from '../../core/ledger/verify-chain.ts';
import { tryOr } from '../../core/try-or.ts';
import { markAt } from '../files/file-mark.ts';
import type { Database } from '../native/load-sqlite.ts';
import { type DatabaseQuestion, type DatabaseRead, followChain, unreadable } from './follow-chain.ts';
import type { LedgerPlace } from './place.ts';
import { checkVersion, versionOf } from './schema.ts';
import { isDamage, toLedgerError } from './sqlite-problem.ts';
import { rollBack } from './writer.ts';

/** Reads a database without ever writing, up to the first entry that does not hold. */
export function readDatabase(place: LedgerPlace, file: string, question: DatabaseQuestion): DatabaseRead {
  const path = join(place.folder, file);
  try {
    return lookAt(place, path, (database) => {
      const check = followChain(place, path, database, question);
      const isWhole = check.damage === null && question.isThorough;
      return isWhole ? { ...check, damage: pageDamage(database, path, check.head) } : check;
    });
  } catch (error) {
    if (!isDamage(error)) throw toLedgerError(error, path);
    return { head: BEGINNING, damage: unreadable(path, 1, (error as Error).message) };
  }
}

/** Looks at a database as it is at one moment, without writing. */
export function lookAt<T>(place: LedgerPlace, path: string, look: (database: Database) => T): T {
  return looking(place, path, (database) => {
    database.exec('BEGIN');
    try {
      checkVersion(versionOf(database), path, place.migrations);
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

/** What SQLite finds wrong with its pages although every entry could be read. */
function pageDamage(database: Database, path: string, head: Head): LedgerDamage | null {
  const [row] = database.prepare('PRAGMA integrity_check(1)').all() as { readonly integrity_check: string }[];
  const found = row?.integrity_check ?? 'no answer';
  if (found === 'ok') return null;
  const text = `every entry of ${basename(path)} can be read, but SQLite finds it damaged: ${found}`;
  return { reason: 'unreadable', sequence: head.sequence + 1, text };
}
