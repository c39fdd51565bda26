import { closeSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { BEGINNING, chain, type Head, headAt } from '../../core/ledger/chain.ts';
import { contentOf, type EntryDraft, type LedgerEntry } from '../../core/ledger/entry.ts';
import type { LedgerError } from '../../core/ledger/ledger-error.ts';
import { verifyChain } from '../../core/ledger/verify-chain.ts';
import { openPlain } from '../files/own-file.ts';
import type { Database } from '../native/load-sqlite.ts';
import { type Anchor, createAnchor, readAnchor, replaceAnchor } from './anchor-file.ts';
import { EntryMalformed, insertEntry, selectEntries, selectLast } from './entry-rows.ts';
import { anchorBeside, databaseFile, FIRST_DATABASE, type LedgerPlace } from './place.ts';
import { lookAt } from './read-database.ts';
import { migrate, versionOf } from './schema.ts';
import { ledgerError, toLedgerError } from './sqlite-problem.ts';
import { inTransaction, whenFree } from './transaction.ts';
import { goneBack, knownHeads, readWitness, replaceWitness } from './witness.ts';

/** A connection that writes, and the very file that it writes to. */
interface Writer {
  readonly database: Database;
  readonly file: string;
  readonly inode: number;
}

/** What stays open between two entries. */
export interface WriterSlot {
  writer: Writer | null;
}

/** Records one entry. */
export function append(place: LedgerPlace, draft: EntryDraft, connection: WriterSlot): LedgerEntry {
  try {
    const writer = writerFor(place, anchorFor(place), connection);
    const entry = inTransaction(writer.database, place.busyTimeoutMs, () => {
      const anchor = anchorFor(place);
      const { file } = anchor;
      // Somebody repaired the ledger between the two looks, and this is the database that was left.
      if (file !== writer.file) return null;
      const isStill = statSync(join(place.folder, file), { throwIfNoEntry: false })?.ino === writer.inode;
      if (!isStill) throw damaged(place, `${file} was taken away or replaced while it was in use`);
      migrate(writer.database, join(place.folder, file), place);
      const head = soundHead(place, writer.database, anchor);
      const sealed = chain(head, contentOf(draft, place.author, place.now()), place.digest);
      checkCause(writer, sealed);
      insertEntry(writer.database, sealed);
      return sealed;
    });
    if (entry === null) return append(place, draft, connection);
    moveAnchor(place, writer);
    return entry;
  } catch (error) {
    if (error instanceof EntryMalformed) throw damaged(place, error.message);
    throw toLedgerError(error, join(place.folder, connection.writer?.file ?? FIRST_DATABASE));
  }
}

/** Ends what is open; the next entry opens it again. */
export function disconnect(connection: WriterSlot): void {
  connection.writer?.database.close();
  connection.writer = null;
}

/** The anchor; with the first entry it is made before the database, so that a database never lacks one. */
function anchorFor(place: LedgerPlace): Anchor {
  const { folder } = place;
  const beside = anchorBeside(folder);
  let { read } = beside;
  if (read.state === 'absent') {
    if (beside.unanchored !== null) throw damaged(place, `the anchor of ${beside.unanchored} is missing`);
    const [lost] = knownHeads(place);
    if (lost !== undefined)
      throw damaged(place, `${lost.file}, which held ${lost.sequence} entries or more, is gone`);
    createAnchor(folder, { file: FIRST_DATABASE, ...BEGINNING });
    read = readAnchor(folder);
  }
  if (read.state === 'read') return read.anchor;
  throw damaged(place, read.state === 'unreadable' ? `the anchor: ${read.text}` : 'the anchor vanished');
}

function writerFor(place: LedgerPlace, anchor: Anchor, connection: WriterSlot): Writer {
  const { folder, busyTimeoutMs, Database } = place;
  const path = join(folder, anchor.file);
  if (connection.writer?.file === anchor.file) return connection.writer;
  disconnect(connection);
  if (databaseFile(folder, anchor.file) === null) {
    if (anchor.sequence > 0) throw damaged(place, `${anchor.file} is gone`);
    // SQLite gives what it makes beside a database the rights of the database.
    closeSync(openPlain(path, constants.O_WRONLY | constants.O_CREAT));
  }
  // Before anything is opened to write: at the end of that SQLite would write back what it understands of a damaged
  // journal, and remove the rest.
  if (anchor.sequence > 0) {
    // Others may be writing: a witness that is read after the database may know of entries that this reading has not.
    const witness = readWitness(folder);
    lookAt(place, path, (database) => soundHead(place, database, anchor, witness));
  }
  const inode = statSync(path).ino;
  const database = new Database(path);
  try {
    database.exec('PRAGMA busy_timeout = 0');
    const isBlank = whenFree(busyTimeoutMs, () => versionOf(database)) === 0;
    if (anchor.sequence > 0 && isBlank) throw damaged(place, `${anchor.file} is empty`);
    useJournal(database, path, busyTimeoutMs);
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    connection.writer = { database, file: anchor.file, inode };
    return connection.writer;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Switching a new database to its journal fails at once, instead of waiting, when two do it at the same time. */
function useJournal(database: Database, path: string, timeoutMs: number): void {
  const row = whenFree(timeoutMs, () => database.prepare('PRAGMA journal_mode = WAL').get());
  const { journal_mode: mode } = row as { readonly journal_mode: string };
  if (mode !== 'wal') throw ledgerError('unavailable', path, 'its file system cannot hold a write-ahead log');
}

/** The last entry, if the end of the chain holds: nothing is built on a broken end. */
function soundHead(
  place: LedgerPlace,
  database: Database,
  anchor: Anchor,
  witness = readWitness(place.folder),
): Head {
  const witnesses = witness === null ? [] : [witness];
  const end = selectEntries(database, Math.max(1, anchor.sequence), ALL);
  const base = { sequence: anchor.sequence - 1, hash: end[0]?.previous ?? '' };
  const { head, damage } = verifyChain(end, place.digest, {
    ...(anchor.sequence > 0 && { base }),
    anchors: [anchor, ...witnesses.filter(({ file }) => file === anchor.file)],
  });
  const found = damage ?? goneBack(anchor.file, head, witnesses);
  if (found !== null) throw damaged(place, found.text);
  return head;
}

const ALL = -1;

/** An outcome ends one intent, and an intent has one outcome. */
function checkCause({ database, file }: Writer, { kind, cause }: LedgerEntry): void {
  if (cause === null) return;
  const intent = database.prepare("SELECT 1 FROM entry WHERE sequence = ? AND kind = 'intent'").get(cause);
  if (intent === undefined) throw ledgerError('invalid', file, `entry ${cause} is not an intent`);
  if (kind !== 'outcome') return;
  const other = database.prepare("SELECT 1 FROM entry WHERE cause = ? AND kind = 'outcome'").get(cause);
  if (other !== undefined) throw ledgerError('invalid', file, `intent ${cause} has its outcome already`);
}

/** Moves anchor and witness to the last entry. Never waits: whoever writes now will do the same afterwards. */
function moveAnchor({ folder }: LedgerPlace, { database, file }: Writer): void {
  try {
    inTransaction(database, 0, () => {
      const last = selectLast(database);
      const read = readAnchor(folder);
      if (last === null || read.state !== 'read' || read.anchor.file !== file) return;
      if (read.anchor.sequence < last.sequence) replaceAnchor(folder, { file, ...headAt(last) });
      const witness = readWitness(folder);
      const isBehind = witness?.file !== file || witness.sequence < last.sequence;
      if (isBehind) replaceWitness(folder, { file, ...headAt(last) });
    });
  } catch {
    // The entry is on the disk all the same; the anchor lags behind until the next one, and `verify` says so.
  }
}

function damaged({ folder }: LedgerPlace, text: string): LedgerError {
  return ledgerError('damaged', folder, text);
}
