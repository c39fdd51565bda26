import type { Digest } from '../ledger/chain.ts';
import { canonicalJson } from '../ledger/json.ts';
import type { CheckResult } from './check.ts';

/**
 * What a stop would be held on, as one mark: the state of the work tree and every check that is not met. As long as it is
 * the same, nothing has come of keeping the agent going.
 */
export function evidenceOf(
  tree: string | null,
  results: readonly (CheckResult | undefined)[],
  digest: Digest,
): string {
  const unmet = results.flatMap((result, index) =>
    result?.state === 'unmet' ? [[index, result.state, result.mark]] : [],
  );
  return digest(canonicalJson([tree ?? '', unmet]));
}
