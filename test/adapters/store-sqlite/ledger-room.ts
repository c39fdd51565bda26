import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqliteLedgerOptions } from '../../../src/adapters/store-sqlite/place.ts';
import { MIGRATIONS } from '../../../src/adapters/store-sqlite/schema.ts';
import { openSqliteLedger } from '../../../src/adapters/store-sqlite/sqlite-ledger.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { DatabaseSync } from '../../support/sqlite.ts';

export const AUTHOR = { host: 'machine', bootId: 'boot', actor: { kind: 'cli', pid: 7, user: 'ann' } };

export const HOLD: EntryDraft = {
  kind: 'declared',
  action: 'hold',
  session: { key: 'k', name: 'build' },
  body: { reason: 'mine' },
};

/** A folder with a real ledger in it. */
export class LedgerRoom {
  readonly folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'ledger-'));
  readonly path = join(this.folder, 'ledger.db');
  readonly anchor = join(this.folder, 'ledger.head');
  readonly #open: Ledger[] = [];

  async ledger(options: Partial<SqliteLedgerOptions> = {}): Promise<Ledger> {
    const ledger = await openSqliteLedger({
      ...{ folder: this.folder, author: AUTHOR, now: Date.now },
      ...options,
    });
    this.#open.push(ledger);
    return ledger;
  }

  /** A ledger with so many entries. */
  async filled(count: number, options: Partial<SqliteLedgerOptions> = {}): Promise<Ledger> {
    const ledger = await this.ledger(options);
    for (let index = 1; index <= count; index += 1) ledger.append({ ...HOLD, body: { index } });
    return ledger;
  }

  /**
   * The files as another process finds them. In the process that wrote them SQLite still knows them by their inodes,
   * until the garbage collector has seen to every statement.
   */
  asFoundByAnother(): LedgerRoom {
    for (const ledger of this.#open) ledger.close();
    const other = new LedgerRoom();
    for (const name of readdirSync(this.folder).filter((one) => !one.endsWith('-shm'))) {
      copyFileSync(join(this.folder, name), join(other.folder, name));
    }
    this.remove();
    return other;
  }

  /** Does to the database what somebody with SQLite and no manners would, past all triggers. */
  tamper(sql: string): void {
    const database = new DatabaseSync(this.path);
    try {
      database.exec(`
        PRAGMA busy_timeout = 5000;
        PRAGMA foreign_keys = OFF;
        DROP TRIGGER IF EXISTS entries_stay;
        DROP TRIGGER IF EXISTS entries_are_final;
        DROP TRIGGER IF EXISTS entries_follow;
        ${sql};
      `);
      if (!sql.startsWith('DROP TABLE')) database.exec(triggers());
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      database.close();
    }
  }

  remove(): void {
    for (const ledger of this.#open) ledger.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The triggers that were dropped, as they are made. Asked of another database: a statement would keep the damaged one open. */
function triggers(): string {
  const database = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS) step(database as never);
  const sql = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'entries_%'";
  const found = database.prepare(sql).all() as { sql: string }[];
  database.close();
  return found.map((one) => `${one.sql};`).join('');
}
