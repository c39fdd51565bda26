import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { Failure } from '../failure.ts';
import type { Surroundings } from '../surroundings.ts';

/** Opens the ledger, uses it and closes it; what it cannot do ends the command with the reason. */
export async function withLedger<T>(
  { ledger: open }: Pick<Surroundings, 'ledger'>,
  use: (ledger: Ledger) => T | Promise<T>,
): Promise<T> {
  try {
    const ledger = await open();
    try {
      return await use(ledger);
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new Failure('failed', `the ledger: ${error.message}`, { hint: error.hint });
  }
}
