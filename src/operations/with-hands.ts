import type { LedgerEntry } from '../core/ledger/entry.ts';
import { LedgerError } from '../core/ledger/ledger-error.ts';
import type { Hands } from '../engine/act/hands.ts';
import { type Recovered, recoverAll } from '../engine/act/recover.ts';
import { keepingLayouts } from '../engine/layouts/keep-layouts.ts';
import type { Ledger } from '../ports/ledger.ts';
import { Failure } from './failure.ts';

/**
 * Opens everything that changes sessions, brings what an earlier operation left behind to its end, and then does the work.
 * What the ledger cannot do ends it with the reason: without a record nothing is done.
 */
export async function withHands<T>(
  open: () => Promise<Hands>,
  work: (hands: Hands) => Promise<T>,
  onRecovered: (one: Recovered) => void = () => {},
): Promise<T> {
  try {
    const hands = await open();
    try {
      for (const one of await recoverAll(hands)) onRecovered(one);
      return await keepingLayouts(hands, work);
    } finally {
      hands.ledger.close();
    }
  } catch (error) {
    throw ledgerFailure(error);
  }
}

/** Opens the ledger, uses it and closes it; what it cannot do ends the operation with the reason. */
export async function withLedger<T, L extends Pick<Ledger, 'close'>>(
  open: () => Promise<L>,
  use: (ledger: L) => T | Promise<T>,
): Promise<T> {
  try {
    const ledger = await open();
    try {
      return await use(ledger);
    } finally {
      ledger.close();
    }
  } catch (error) {
    throw ledgerFailure(error);
  }
}

/** Every entry that can be relied on. Throws a LedgerError where it cannot be read. */
export async function entriesIn(open: () => Promise<Ledger>): Promise<readonly LedgerEntry[]> {
  const ledger = await open();
  try {
    return ledger.read().entries;
  } finally {
    ledger.close();
  }
}

/** What to end with after an error of the ledger; any other error stays what it is. */
export function ledgerFailure(error: unknown): unknown {
  if (!(error instanceof LedgerError)) return error;
  return new Failure('failed', `the ledger: ${error.message}`, { hint: error.hint });
}
