import type { Head } from '../../core/ledger/chain.ts';
import type { Folded, SessionFacts } from '../../core/ledger/current-facts.ts';
import type { JsonObject } from '../../core/ledger/json.ts';

/** The ledger, folded up to its head, and how its files looked before it was read. */
export interface KeptFacts {
  readonly head: Head;
  readonly folded: Folded;
  /** Null where the files were too young to be known by their looks. */
  readonly mark: string | null;
}

/** What an older rollcall folded lacks what it did not know of, such as unfinished work: another format, and it is folded anew. */
const FORMAT = 2;

/** The same as it lies in `facts.json`. */
export interface CachedFacts {
  readonly format: typeof FORMAT;
  readonly mark: string | null;
  readonly head: Head;
  readonly facts: readonly SessionFacts[];
  readonly openIntents: readonly (readonly [number, JsonObject])[];
}

/** Whether what was read is a cache of this format. Its own program wrote it, so its outline is enough. */
export function isCachedFacts(value: unknown): value is CachedFacts {
  if (typeof value !== 'object' || value === null) return false;
  const { format, mark, head, facts, openIntents } = value as Partial<CachedFacts>;
  return (
    format === FORMAT &&
    (mark === null || typeof mark === 'string') &&
    typeof head?.sequence === 'number' &&
    typeof head.hash === 'string' &&
    Array.isArray(facts) &&
    facts.every((one) => typeof one?.key === 'string') &&
    Array.isArray(openIntents) &&
    openIntents.every((one) => Array.isArray(one) && typeof one[0] === 'number')
  );
}

export function toCached({ mark, head, folded }: KeptFacts): CachedFacts {
  return {
    ...{ format: FORMAT, mark, head },
    facts: [...folded.facts.values()],
    openIntents: [...folded.openIntents],
  };
}

export function fromCached({ mark, head, facts, openIntents }: CachedFacts): KeptFacts {
  const byKey = new Map(facts.map((one) => [one.key, one]));
  return { mark, head, folded: { facts: byKey, openIntents: new Map(openIntents) } };
}

const CLOSED_FOR_MS = 30 * 24 * 3_600_000;

/** The facts without sessions that were closed long ago: nobody looks for them any more, and the ledger still has them. */
export function withoutOld(folded: Folded, now: number): Folded {
  const isOld = ({ closed }: SessionFacts) => closed !== null && now - closed.at > CLOSED_FOR_MS;
  const kept = [...folded.facts].filter(([, facts]) => !isOld(facts));
  return { ...folded, facts: new Map(kept) };
}
