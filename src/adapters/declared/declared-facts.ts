import { BEGINNING } from '../../core/ledger/chain.ts';
import { foldFacts, type SessionFacts, UNFOLDED } from '../../core/ledger/current-facts.ts';
import { visible } from '../../core/visible.ts';
import type { DeclaredFacts, DeclaredReading } from '../../ports/declared-facts.ts';
import type { Ledger, LedgerReading } from '../../ports/ledger.ts';
import { type CachedFacts, fromCached, type KeptFacts, toCached, withoutOld } from './facts-cache.ts';

/** How the ledger's files look from outside. */
interface Mark {
  /** Empty where there is no ledger. */
  readonly text: string;
  /** False while something may still change without another mark. */
  readonly isSettled: boolean;
}

export interface DeclaredFactsOptions {
  /** Looks at the ledger's files without opening them. */
  readonly mark: () => Mark;
  readonly cache: {
    load(): { readonly state: 'loaded'; readonly value: CachedFacts } | { readonly state: string };
    save(value: CachedFacts): unknown;
  };
  /** Called at most once, and only when something was recorded since the cache was made. */
  readonly openLedger: () => Promise<Pick<Ledger, 'read'>>;
  readonly now: () => number;
}

export interface KnownFacts extends DeclaredFacts {
  /** What was last read, without looking again. */
  known(): ReadonlyMap<string, SessionFacts>;
}

const NOTHING: DeclaredReading = { state: 'read', facts: new Map() };

/**
 * What the ledger says, for every look. As long as its files look as they did when it was last read, by this process or
 * by another one, nothing is opened; otherwise only what came since is read.
 */
export function createDeclaredFacts(options: DeclaredFactsOptions): KnownFacts {
  const { mark, cache, now } = options;
  let kept: KeptFacts | null = null;
  let damaged: { readonly mark: string; readonly reading: DeclaredReading } | null = null;
  let ledger: Promise<Pick<Ledger, 'read'>> | undefined;

  const known = (text: string): DeclaredReading | null => {
    if (damaged?.mark === text) return damaged.reading;
    if (kept?.mark !== text) {
      const cached = loaded(cache);
      kept = cached?.mark === text ? cached : newer(kept, cached);
    }
    return kept?.mark === text ? { state: 'read', facts: kept.folded.facts } : null;
  };
  const read = async ({ text, isSettled }: Mark): Promise<DeclaredReading> => {
    ledger ??= options.openLedger();
    const opened = await ledger.catch((error) => {
      ledger = undefined;
      throw error;
    });
    const { reading, base } = readFrom(opened, kept);
    if (reading.damage !== null) {
      const reason = failed(reading.damage.text, 'rollcall verify says what is damaged');
      damaged = isSettled ? { mark: text, reading: reason } : null;
      return reason;
    }
    // The mark is from before the reading: what was recorded meanwhile gives the files another one.
    const folded = withoutOld(foldFacts(base, reading.entries), now());
    kept = { mark: isSettled ? text : null, head: reading.head, folded };
    cache.save(toCached(kept));
    return { state: 'read', facts: folded.facts };
  };
  return {
    known: () => kept?.folded.facts ?? UNFOLDED.facts,
    current() {
      try {
        const looks = mark();
        if (looks.text === '') return NOTHING;
        return known(looks.text) ?? read(looks).catch(unreadable);
      } catch (error) {
        return unreadable(error);
      }
    },
  };
}

/** Follows the chain from where it was read to; a ledger that no longer holds that entry is read from its beginning. */
function readFrom(
  ledger: Pick<Ledger, 'read'>,
  kept: KeptFacts | null,
): { readonly reading: LedgerReading; readonly base: KeptFacts['folded'] } {
  if (kept !== null && kept.head.sequence > BEGINNING.sequence) {
    const reading = ledger.read({ after: kept.head });
    if (reading.damage === null) return { reading, base: kept.folded };
  }
  return { reading: ledger.read(), base: UNFOLDED };
}

function loaded(cache: DeclaredFactsOptions['cache']): KeptFacts | null {
  const found = cache.load();
  return 'value' in found ? fromCached(found.value) : null;
}

// What another process wrote may be older than what this one has read itself.
function newer(one: KeptFacts | null, other: KeptFacts | null): KeptFacts | null {
  if (one === null || other === null) return one ?? other;
  return other.head.sequence >= one.head.sequence ? other : one;
}

function unreadable(error: unknown): DeclaredReading {
  const { message, hint } = error as Error & { readonly hint?: string };
  return failed(message, hint ?? 'rollcall verify says what is wrong');
}

function failed(text: string, hint: string): DeclaredReading {
  return { state: 'failed', text: visible(`what was declared cannot be read: ${text}`, 600), hint };
}
