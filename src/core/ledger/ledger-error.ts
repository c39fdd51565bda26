/** Why the ledger could not do what was asked. */
export type LedgerErrorCode =
  /** Another process has held it for too long. */
  | 'locked'
  /** No room on its file system. */
  | 'full'
  | 'read-only'
  /** What is stored cannot be relied on: nothing is appended to it. */
  | 'damaged'
  /** Made by a later version of rollcall. */
  | 'newer'
  /** The entry itself may not be recorded. */
  | 'invalid'
  /** There is no place for it, or this system cannot open it. */
  | 'unavailable';

/** Thrown, so that nobody can go on without a record by not looking: no intent, no action. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: LedgerErrorCode;
  /** What a person can do about it. */
  readonly hint: string;

  constructor(code: LedgerErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
