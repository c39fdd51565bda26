import type { RungReport } from '../../../core/close/receipt.ts';
import { LedgerError } from '../../../core/ledger/ledger-error.ts';
import type { CloseResult } from './order.ts';

/** How far a close has come, for whoever catches what it throws. */
export interface Course {
  /** Its intent is recorded, so the next command finds out what became of it. */
  isBegun: boolean;
  isGone: boolean;
  /** It moved before anything was done: what was decided does not hold any more. */
  hasMoved: boolean;
}

type Unrecorded = Extract<CloseResult, { readonly state: 'unrecorded' }>;

/** What is said where a close did something and the ledger took no more; any other error stays what it is. */
export function unrecorded(error: unknown, course: Course, rungs: readonly RungReport[]): Unrecorded {
  if (!(error instanceof LedgerError) || !course.isBegun) throw error;
  const { message: text, hint } = error;
  return { state: 'unrecorded', isGone: course.isGone, text, hint, rungs };
}
