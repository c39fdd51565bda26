import { bootOf } from '../identity.ts';
import type { Folded, SessionFacts } from './current-facts.ts';
import type { Author } from './entry.ts';

/** Closed sessions that stay known, the newest: enough for whoever comes late to the close of one. */
export const MAX_SETTLED = 200;

/**
 * The facts without what nobody can ask for any more, so that they do not grow with the ledger: sessions that were closed
 * or put back, but for the last ones, and sessions of an earlier boot that were never under care. The ledger still has
 * all of it.
 */
export function withoutSettled(folded: Folded, { host: machineId, bootId }: Omit<Author, 'actor'>): Folded {
  const isOver = ({ closed, reopened, closing }: SessionFacts) =>
    closing === null && (closed !== null || reopened !== null);
  const isGone = ({ key, origin }: SessionFacts) =>
    origin === null && bootOf(key, { machineId, bootId }) === 'earlier';
  const all = [...folded.facts.values()];
  const over = all.filter(isOver).sort((one, other) => endOf(other) - endOf(one));
  const dropped = new Set([...over.slice(MAX_SETTLED), ...all.filter((one) => !isOver(one) && isGone(one))]);
  if (dropped.size === 0) return folded;
  return { ...folded, facts: new Map([...folded.facts].filter(([, one]) => !dropped.has(one))) };
}

function endOf({ closed, reopened }: SessionFacts): number {
  return Math.max(closed?.sequence ?? 0, reopened?.sequence ?? 0);
}
