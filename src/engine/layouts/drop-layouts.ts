import type { Folded, SessionFacts } from '../../core/ledger/current-facts.ts';
import type { Layouts } from '../../ports/records.ts';

const DAY_MS = 86_400_000;
/** One whose session the ledger does not know (yet). */
const ORPHAN_MS = DAY_MS;
/** More sessions nobody has under care at once; the oldest go first. */
const MOST = 1000;

/**
 * Lets go of layouts that nobody needs any more: of sessions with a receipt, and of those that were made again and seen since.
 * One whose session is still lost stays, however old the clock makes it.
 */
export function dropLayouts(
  { layouts, now }: { readonly layouts: Layouts; now(): number },
  folded: Folded,
): void {
  const all = layouts.all();
  const kept = new Set(all.map(({ key }) => key));
  const drop = (key: string) => {
    kept.delete(key);
    layouts.drop(key);
  };
  for (const { key, keptAt } of all) {
    const facts = folded.facts.get(key);
    const ageMs = now() - keptAt;
    // A ledger that has lost entries does not tell of all its sessions.
    if (facts === undefined ? ageMs > ORPHAN_MS && folded.loss === null : isOver(facts, folded, kept))
      drop(key);
  }
  const left = all.filter(({ key }) => kept.has(key)).sort((one, other) => other.keptAt - one.keptAt);
  for (const { key } of left.slice(MOST)) drop(key);
}

// One that was made again is needed until a successor was seen: that may be lost before.
function isOver({ closed, reopened }: SessionFacts, { facts }: Folded, kept: ReadonlySet<string>): boolean {
  if (closed !== null) return true;
  let next = reopened && facts.get(reopened.key);
  while (next?.reopened && !kept.has(next.key)) next = facts.get(next.reopened.key);
  return reopened !== null && (next == null || next.closed !== null || kept.has(next.key));
}
