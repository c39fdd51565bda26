import { factsAbout, type SessionFacts } from '../../core/ledger/current-facts.ts';
import type { Hands } from './hands.ts';

/** What the ledger says about a session at this moment; of one without a key it says nothing yet. */
export function factsOf(
  { ledger }: Pick<Hands, 'ledger'>,
  { key }: { readonly key: string | null },
): SessionFacts | undefined {
  return key === null ? undefined : factsAbout(ledger.facts().folded, key);
}
