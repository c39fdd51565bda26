import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../core/ledger/chain.ts';
import type { Author } from '../../core/ledger/entry.ts';
import type { OpenDatabase } from '../native/load-sqlite.ts';
import { type AnchorRead, DATABASE_NAME, readAnchor } from './anchor-file.ts';
import type { Migration } from './schema.ts';
import { ledgerError } from './sqlite-problem.ts';

/** Everything that the parts of the store share. */
export interface Place {
  readonly Database: OpenDatabase;
  /** A folder that only this user can write. */
  readonly folder: string;
  readonly digest: Digest;
  readonly author: Author;
  readonly now: () => number;
  readonly migrations: readonly Migration[];
  /** How long to wait for another process. */
  readonly busyTimeoutMs: number;
}

export const FIRST_DATABASE = 'ledger.db';

/** The databases in a folder, the newest first. */
export function databasesIn(folder: string): string[] {
  const number = (name: string) => Number(DATABASE_NAME.exec(name)?.[1] ?? 1);
  return readdirSync(folder)
    .filter((name) => DATABASE_NAME.test(name))
    .sort((one, other) => number(other) - number(one));
}

/** The anchor, and the newest database where that has none. */
export interface AnchorBeside {
  readonly read: AnchorRead;
  readonly unanchored: string | null;
}

/** Reads the anchor. It is made before its database, so whoever finds a database may have looked for it too early. */
export function anchorBeside(folder: string): AnchorBeside {
  const read = readAnchor(folder);
  if (read.state === 'read') return { read, unanchored: null };
  const [newest = null] = databasesIn(folder);
  const again = newest === null ? read : readAnchor(folder);
  return { read: again, unanchored: again.state === 'read' ? null : newest };
}

/** The name for the database of the next repair. */
export function nextDatabase(folder: string): string {
  const [newest = FIRST_DATABASE] = databasesIn(folder);
  return `ledger.${Number(DATABASE_NAME.exec(newest)?.[1] ?? 1) + 1}.db`;
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
