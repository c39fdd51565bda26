import { ledgerFailure } from '../../operations/with-hands.ts';
import type { Ledger } from '../../ports/ledger.ts';

/** Opens the ledger, uses it and closes it; what it cannot do ends the command with the reason. */
export async function withLedger<T, L extends Pick<Ledger, 'close'> = Ledger>(
  { ledger: open }: { readonly ledger: () => Promise<L> },
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
