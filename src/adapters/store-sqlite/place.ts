import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../core/ledger/chain.ts';
import type { SealedCheckpoint } from '../../core/ledger/checkpoint.ts';
import type { Author } from '../../core/ledger/entry.ts';
import type { OpenDatabase } from '../native/load-sqlite.ts';
import { type AnchorRead, DATABASE_NAME, readAnchor } from './anchor-file.ts';
import type { Migration } from './schema.ts';
import { ledgerError } from './sqlite-problem.ts';

export interface SqliteLedgerOptions {
  /** A folder that only this user can write; the ledger lies in it. */
  readonly folder: string;
  readonly author: Author;
  readonly now: () => number;
  /** Without one the ledger is folded from its first entry, once for each process. */
  readonly checkpoint?: CheckpointFile;
  /** How long to wait for another process. */
  readonly busyTimeoutMs?: number;
  /** Ticks since this boot, as starts of processes are counted; null where unknown. Noted with a repair. */
  readonly ticks?: () => number | null;
  /** The steps that make the tables; others only to try out a later version. */
  readonly migrations?: readonly Migration[];
}

/** Everything that the parts of the store share. */
export interface LedgerPlace extends Required<SqliteLedgerOptions> {
  readonly Database: OpenDatabase;
  readonly digest: Digest;
}

/** Where the folded ledger is kept between two processes. */
export interface CheckpointFile {
  /** Whatever is not whole counts for nothing. */
  load(): { readonly state: 'loaded'; readonly value: SealedCheckpoint } | { readonly state: string };
  save(value: SealedCheckpoint): unknown;
}

export const FIRST_DATABASE = 'ledger.db';

/** Each repair begins the next one. */
export function generationOf(file: string): number {
  return Number(DATABASE_NAME.exec(file)?.[1] ?? 1);
}

/** The databases in a folder, the newest first. */
function databasesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => DATABASE_NAME.test(name))
    .sort((one, other) => generationOf(other) - generationOf(one));
}

/**
 * Reads the anchor, and finds the newest database where that has none. The anchor is made before its database, so whoever
 * finds a database may have looked for it too early.
 */
export function anchorBeside(folder: string): { read: AnchorRead; unanchored: string | null } {
  const read = readAnchor(folder);
  if (read.state === 'read') return { read, unanchored: null };
  const [newest = null] = databasesIn(folder);
  const again = newest === null ? read : readAnchor(folder);
  return { read: again, unanchored: again.state === 'read' ? null : newest };
}

/** The name for the database of the next repair: later than any that is there, or was. */
export function nextDatabase(folder: string, known: readonly string[]): string {
  const newest = Math.max(1, ...[...databasesIn(folder), ...known].map(generationOf));
  return `ledger.${newest + 1}.db`;
}

/** The file of a database; null where there is none. Refuses links and what belongs to somebody else. */
export function databaseFile(folder: string, file: string): Stats | null {
  const path = join(folder, file);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isFile()) throw ledgerError('unavailable', path, 'it is not a regular file');
  if (found.uid !== lstatSync(folder).uid) {
    throw ledgerError('unavailable', path, `it belongs to user ${found.uid}`);
  }
  return found;
}
