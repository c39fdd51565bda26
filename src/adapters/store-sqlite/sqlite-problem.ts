import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LedgerError, type LedgerErrorCode } from '../../core/ledger/ledger-error.ts';
import { succeeds, tryOr } from '../../core/try-or.ts';

/** Primary result codes of SQLite. */
const ERROR = 1;
export const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

// Not every error of the package that stands in for Node's own SQLite carries its code, but each its text.
const CODES_BY_TEXT: Readonly<Record<string, number>> = {
  'database is locked': BUSY,
  'attempt to write a readonly database': READ_ONLY,
  'disk I/O error': IO_ERROR,
  'database disk image is malformed': CORRUPT,
  'database or disk is full': FULL,
  'unable to open database file': CANNOT_OPEN,
  'file is not a database': NOT_A_DATABASE,
};

/** What is stored is not what rollcall writes, though SQLite finds nothing wrong with it. */
export class StoreMalformed extends Error {
  override readonly name = 'StoreMalformed';
}

/** SQLite's own word for what went wrong; null for an error that is not SQLite's. */
export function sqliteCode(error: unknown): number | null {
  const { code, errcode, message } = error as NodeJS.ErrnoException & { readonly errcode?: unknown };
  if (code !== 'ERR_SQLITE_ERROR') return null;
  // The upper bits tell the sub-kind.
  return typeof errcode === 'number' ? errcode & 0xff : (CODES_BY_TEXT[message] ?? ERROR);
}

/** Whether what is stored is to blame, rather than the moment or the system; also tables that are not rollcall's. */
export function isDamage(error: unknown): boolean {
  return error instanceof StoreMalformed || isDamageCode(sqliteCode(error));
}

// The tables never refuse what rollcall records: where they do, they were changed.
function isDamageCode(code: number | null): boolean {
  return code === CORRUPT || code === NOT_A_DATABASE || code === ERROR || code === CONSTRAINT;
}

const HINTS: Readonly<Record<LedgerErrorCode, string>> = {
  locked: 'another process holds it: look for rollcall processes that hang, then try again',
  full: 'make room on that file system, then try again',
  'read-only': 'make the folder and the file writable for you, then try again',
  damaged: 'run: rollcall verify',
  newer: 'update rollcall',
  invalid: 'this is a defect of rollcall: please report it',
  unavailable: 'see that the folder is there and yours, then try again',
};

/** A LedgerError with the usual advice. */
export function ledgerError(code: LedgerErrorCode, path: string, text: string): LedgerError {
  return new LedgerError(code, `${path}: ${text}`, HINTS[code]);
}

/** What an error of SQLite or of the file system means for whoever uses the ledger. */
export function toLedgerError(error: unknown, path: string): LedgerError {
  if (error instanceof LedgerError) return error;
  const { message, code: system } = error as NodeJS.ErrnoException;
  const sqlite = sqliteCode(error);
  const code = isDamage(error) ? 'damaged' : codeOf(sqlite, system, path);
  // SQLite calls a disk without room an I/O error, which nobody would take for that.
  const isUntold = code === 'full' && sqlite !== null && sqlite !== FULL;
  return ledgerError(code, path, isUntold ? `no room is left on its file system (${message})` : message);
}

function codeOf(sqlite: number | null, system: string | undefined, path: string): LedgerErrorCode {
  if (system === 'ENOSPC' || system === 'EDQUOT' || sqlite === FULL) return 'full';
  if (system === 'EROFS' || system === 'EACCES' || sqlite === READ_ONLY) return 'read-only';
  if (sqlite === BUSY || sqlite === LOCKED) return 'locked';
  // SQLite says no more where it cannot make or enlarge a file beside the database.
  if (sqlite !== IO_ERROR && sqlite !== CANNOT_OPEN) return 'unavailable';
  const folder = dirname(path);
  if (tryOr(false, () => statfsSync(folder).bavail === 0)) return 'full';
  return succeeds(() => accessSync(folder, constants.W_OK)) ? 'unavailable' : 'read-only';
}
