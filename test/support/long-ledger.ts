import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { replaceAnchor } from '../../src/adapters/store-sqlite/anchor-file.ts';
import { insertEntry } from '../../src/adapters/store-sqlite/entry-rows.ts';
import { MIGRATIONS, migrate } from '../../src/adapters/store-sqlite/schema.ts';
import { BEGINNING, chain, type Head } from '../../src/core/ledger/chain.ts';
import { contentOf, type EntryDraft } from '../../src/core/ledger/entry.ts';
import { DatabaseSync } from './sqlite.ts';

/** A life from start to receipt, so many entries long. */
const LIFE = 7;
const AUTHOR = { host: 'machine', bootId: 'boot', actor: { kind: 'cli', pid: 7, user: 'ann' } };

/** Writes a ledger in which so many entries tell of sessions that were started, held, released and closed. */
export function writeLongLedger(folder: string, count: number, padding = 600): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'ledger.db');
  const database = new DatabaseSync(path);
  let head: Head = BEGINNING;
  database.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
  migrate(database as never, path, { Database: DatabaseSync as never, migrations: MIGRATIONS });
  for (let index = 0; index < count; index += 1) {
    const entry = chain(
      head,
      contentOf(draft(index, padding), AUTHOR, 1_700_000_000_000 + index * 1000),
      sha256,
    );
    insertEntry(database as never, entry);
    head = { sequence: entry.sequence, hash: entry.hash };
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  replaceAnchor(folder, { file: 'ledger.db', ...head });
}

function draft(index: number, padding: number): EntryDraft {
  const life = Math.floor(index / LIFE);
  const first = life * LIFE + 1;
  const session = { key: `machine.earlier.100.200.s${life}.${1_700_000_000 + life}`, name: `worker-${life}` };
  const filler = 'x'.repeat(padding);
  switch (index % LIFE) {
    case 0:
      return {
        kind: 'intent',
        action: 'run',
        session: { key: null, name: session.name },
        body: { run: `r${life}`, filler },
      };
    case 1:
      return { kind: 'outcome', action: 'run', session, cause: first, body: { result: 'done', filler } };
    case 2:
      return { kind: 'declared', action: 'hold', session, body: { reason: 'mine' } };
    case 3:
      return { kind: 'declared', action: 'unhold', session, body: {} };
    case 4:
      return { kind: 'intent', action: 'close', session, body: { filler } };
    case 5:
      return {
        kind: 'receipt',
        action: 'close',
        session,
        cause: first + 4,
        body: { receipt: `receipt-${life}`, filler },
      };
    default:
      return { kind: 'outcome', action: 'close', session, cause: first + 4, body: { result: 'done' } };
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
