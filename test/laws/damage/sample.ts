import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite } from '../../../src/adapters/native/load-sqlite.ts';
import { openSqliteLedger } from '../../../src/adapters/store-sqlite/sqlite-ledger.ts';
import type { EntryDraft, LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { letGo } from './let-go.ts';

export const AUTHOR = { host: 'machine', bootId: 'boot', actor: { kind: 'cli', pid: 7, user: 'ann' } };

/** The files of a real ledger, byte by byte, and what is recorded in it. */
export interface Sample {
  readonly name: SampleName;
  readonly files: Readonly<Record<string, Buffer>>;
  readonly entries: readonly LedgerEntry[];
}

interface Recipe {
  readonly text: string;
  /** Entries that are in the database, and those after them that are in its journal only. */
  readonly settled: number;
  readonly journalled: number;
  /** Characters that each body is filled with: long ones lie on pages of their own. */
  readonly padding: number;
}

/** The ledgers that are damaged. */
export const RECIPES = {
  closed: { text: 'small, its last process has ended: no journal', settled: 9, journalled: 0, padding: 20 },
  open: { text: 'small, in use: its end is in the journal only', settled: 4, journalled: 3, padding: 20 },
  young: { text: 'small, never closed: all of it is in the journal', settled: 0, journalled: 4, padding: 20 },
  large: { text: 'more than 64 KiB, no journal', settled: 40, journalled: 0, padding: 1500 },
  'large-open': { text: 'a journal of more than 64 KiB', settled: 4, journalled: 8, padding: 1500 },
} as const satisfies Readonly<Record<string, Recipe>>;

export type SampleName = keyof typeof RECIPES;

/** Writes a ledger as rollcall does, and takes its files as a crash would leave them. */
export async function makeSample(name: SampleName, folder: string): Promise<Sample> {
  const { settled, journalled, padding } = RECIPES[name];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let now = 1_700_000_000_000;
  const ledger = await openSqliteLedger({
    ...{ folder, author: AUTHOR },
    now: () => {
      now += 1000;
      return now;
    },
  });
  try {
    for (let index = 0; index < settled; index += 1) ledger.append(draftOf(index, padding));
    if (settled > 0) await emptyJournal(join(folder, 'ledger.db'));
    for (let index = settled; index < settled + journalled; index += 1)
      ledger.append(draftOf(index, padding));
    const { entries } = ledger.read();
    // The journal goes with the last connection, if that may write: not before the one that has just read.
    await letGo('major');
    if (journalled === 0) {
      ledger.close();
      await letGo('major');
    }
    const files = filesIn(folder);
    if (journalled > 0 !== 'ledger.db-wal' in files) throw new Error(`${name} is not as it is meant`);
    return { name, files, entries };
  } finally {
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything in a folder of a ledger, but what SQLite only maps into memory. */
export function filesIn(folder: string): Record<string, Buffer> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Puts them into a folder of their own. */
export function writeFiles(folder: string, files: Readonly<Record<string, Buffer>>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of Object.entries(files))
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
}

async function emptyJournal(path: string): Promise<void> {
  const Database = await loadSqlite();
  if (Database === null) throw new Error('no SQLite');
  const database = new Database(path);
  database.prepare('PRAGMA wal_checkpoint(RESTART)').all();
  database.close();
  await letGo('major');
}

/** Two sessions, each with a life: started, held, closed with a receipt. */
function draftOf(index: number, padding: number): EntryDraft {
  const life = Math.floor(index / LIFE);
  const first = life * LIFE + 1;
  const name = life % 2 === 0 ? 'build' : 'deploy';
  const session = { key: `machine.boot.100.200.s${life}.1700000000`, name };
  const body = { filler: 'x'.repeat(padding), index };
  switch (index % LIFE) {
    case 0:
      return {
        kind: 'intent',
        action: 'run',
        session: { key: null, name },
        body: { run: `r${life}`, ...body },
      };
    case 1:
      return { kind: 'outcome', action: 'run', session, cause: first, body: { result: 'done', ...body } };
    case 2:
      return { kind: 'declared', action: 'hold', session, body: { reason: 'mine', ...body } };
    case 3:
      return { kind: 'declared', action: 'unhold', session, body };
    case 4:
      return { kind: 'intent', action: 'close', session, body };
    case 5:
      return {
        kind: 'receipt',
        action: 'close',
        session,
        cause: first + 4,
        body: { receipt: `r-${life}`, ...body },
      };
    default:
      return {
        kind: 'outcome',
        action: 'close',
        session,
        cause: first + 4,
        body: { result: 'done', ...body },
      };
  }
}

const LIFE = 7;
