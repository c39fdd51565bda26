import { LedgerError } from '../../core/ledger/ledger-error.ts';
import { visible } from '../../core/text/visible.ts';
import { WRITER_TIMEOUT_MS } from '../act/deed.ts';
import type { Hands } from '../act/hands.ts';
import { heldOr, type Trouble, trouble } from '../act/trouble.ts';
import { drainPassed } from './entries.ts';
import type { GateParts } from './parts.ts';

/** Changes contracts while nobody else does. */
export async function write<T>(
  { writer, ledger, now }: Pick<Hands, 'writer' | 'ledger' | 'now'>,
  { store }: Pick<GateParts, 'store'>,
  task: string,
  work: () => T | Trouble,
): Promise<T | Trouble> {
  const held = await writer.hold({ task, argv: [] }, WRITER_TIMEOUT_MS, async () => {
    drainPassed(store, ledger);
    try {
      return work();
    } catch (error) {
      if (error instanceof LedgerError) throw error;
      return trouble('failed', `it could not be kept: ${visible((error as Error).message)}`);
    }
  });
  return heldOr(held, now());
}
