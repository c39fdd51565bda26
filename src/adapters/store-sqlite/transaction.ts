import { succeeds } from '../../core/try-or.ts';
import { pause } from '../files/lock-file.ts';
import type { Database } from '../native/load-sqlite.ts';
import { BUSY, sqliteCode } from './sqlite-problem.ts';

/** Runs it while no other process can write; on any failure nothing of it stays. */
export function inTransaction<T>(database: Database, waitMs: number, work: () => T): T {
  whenFree(waitMs, () => database.exec('BEGIN IMMEDIATE'));
  try {
    const value = work();
    database.exec('COMMIT');
    return value;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

const LONGEST_PAUSE_MS = 4;

/** Retries until the database is free. SQLite's own waiting backs off, so the first to come may be served last. */
export function whenFree<T>(waitMs: number, attempt: () => T): T {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (sqliteCode(error) !== BUSY || performance.now() >= deadline) throw error;
      pause(1 + Math.random() * (LONGEST_PAUSE_MS - 1));
    }
  }
}

/** Ends a transaction without a trace, if there is one that SQLite has not ended already. */
export function rollBack(database: Database): void {
  succeeds(() => database.exec('ROLLBACK'));
}
