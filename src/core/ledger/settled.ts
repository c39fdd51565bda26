import { bootOf, bootWords } from '../sight/identity.ts';
import type { Folded, SessionFacts } from './current-facts.ts';
import type { Author } from './entry.ts';

/** Closed sessions that stay known, the newest: enough for whoever comes late to the close of one. */
export const MAX_SETTLED = 200;

/** A machine and its boot, as an entry names them. */
type Reader = Pick<Author, 'host' | 'bootId'>;

/**
 * The facts without what nobody can ask for any more, so that they do not grow with the ledger: sessions that were closed
 * or put back, but for the last ones, and sessions of an earlier boot that were never under care. The ledger still has
 * all of it. The latter are only this reader's to leave out, and that is noted.
 */
export function withoutSettled(folded: Folded, reader: Reader): Folded {
  const isOver = ({ closed, reopened, closing }: SessionFacts) =>
    closing === null && (closed !== null || reopened !== null);
  const isGone = ({ key, origin }: SessionFacts) =>
    origin === null && bootOf(key, hostOf(reader)) === 'earlier';
  const all = [...folded.facts.values()];
  const over = all.filter(isOver).sort((one, other) => endOf(other) - endOf(one));
  const gone = all.filter((one) => !isOver(one) && isGone(one));
  const dropped = new Set([...over.slice(MAX_SETTLED), ...gone]);
  if (dropped.size === 0) return folded;
  const { machine, boot } = bootWords(hostOf(reader));
  return {
    ...folded,
    facts: new Map([...folded.facts].filter(([, one]) => !dropped.has(one))),
    ...(gone.length > 0 && { settledFor: { ...folded.settledFor, [machine]: boot } }),
  };
}

/**
 * Whether this reader would have left out the same. What is an earlier boot to one may be another machine that lives, with
 * the same machine id and the same state folder; after a restart the ledger is folded anew, once.
 */
export function isSettledFor({ settledFor }: Folded, reader: Reader): boolean {
  const { machine, boot } = bootWords(hostOf(reader));
  return (settledFor[machine] ?? boot) === boot;
}

function hostOf({ host: machineId, bootId }: Reader) {
  return { machineId, bootId };
}

function endOf({ closed, reopened }: SessionFacts): number {
  return Math.max(closed?.sequence ?? 0, reopened?.sequence ?? 0);
}
