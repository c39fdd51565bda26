import type { SessionFacts } from '../../../core/ledger/current-facts.ts';

/** The last of those that took the place of a session, one after the other; undefined where nothing did. */
export function successorOf(
  facts: ReadonlyMap<string, SessionFacts>,
  key: string | null,
): SessionFacts | undefined {
  let next = facts.get(key ?? '')?.reopened;
  let last: SessionFacts | undefined;
  while (next != null) {
    last = facts.get(next.key);
    next = last?.reopened;
  }
  return last;
}
