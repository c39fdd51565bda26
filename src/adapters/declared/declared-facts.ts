import { type Checkpoint, openCheckpoint, type SealedCheckpoint } from '../../core/ledger/checkpoint.ts';
import { type Folded, factsAbout, type SessionFacts, UNFOLDED } from '../../core/ledger/current-facts.ts';
import { isSettledFor } from '../../core/ledger/settled.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import { visible } from '../../core/text/visible.ts';
import type { DeclaredFacts, DeclaredReading } from '../../ports/declared-facts.ts';
import type { Ledger } from '../../ports/ledger.ts';

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
  /** The folded ledger as whoever read it last left it; what is not whole counts for nothing. */
  readonly checkpoint: {
    load(): { readonly state: 'loaded'; readonly value: SealedCheckpoint } | { readonly state: string };
  };
  /** Who reads: a checkpoint may leave out what is over to another. */
  readonly host: () => Pick<HostIdentity, 'machineId' | 'bootId'>;
  /** Called at most once, and only when something was recorded since the checkpoint was made. */
  readonly openLedger: () => Promise<Pick<Ledger, 'facts'>>;
}

export interface KnownFacts extends DeclaredFacts {
  /** What was last read, without looking again. */
  known(): ReadonlyMap<string, SessionFacts>;
}

/** What is known of files that look like this. */
interface Known {
  readonly mark: string;
  readonly reading: DeclaredReading;
}

/**
 * What the ledger says, for every look. As long as its files look as they did when it was last read, by this process or
 * by another one, nothing is opened.
 */
export function createDeclaredFacts({
  mark,
  checkpoint,
  host,
  openLedger,
}: DeclaredFactsOptions): KnownFacts {
  let known: Known | null = null;
  let facts: ReadonlyMap<string, SessionFacts> = UNFOLDED.facts;
  let ledger: Promise<Pick<Ledger, 'facts'>> | undefined;

  const knownAs = (text: string): DeclaredReading | null => {
    if (known?.mark === text) return known.reading;
    const left = loaded(checkpoint);
    // Where there is no ledger although somebody knows of one, the ledger has to say so itself.
    if (left === null) return text === '' ? NOTHING : null;
    if (left.mark !== text || text === '') return null;
    const { machineId, bootId } = host();
    if (!isSettledFor(left.folded, { host: machineId, bootId })) return null;
    known = { mark: text, reading: readingOf(left.folded) };
    facts = left.folded.facts;
    return known.reading;
  };
  const read = async ({ text, isSettled }: Mark): Promise<DeclaredReading> => {
    ledger ??= openLedger();
    const opened = await ledger.catch((error) => {
      ledger = undefined;
      throw error;
    });
    const { folded, damage } = opened.facts();
    const reading =
      damage === null ? readingOf(folded) : failed(damage.text, 'rollcall verify says what is damaged');
    if (damage === null) facts = folded.facts;
    // The mark is from before the reading: what was recorded meanwhile gives the files another one.
    known = isSettled && text !== '' ? { mark: text, reading } : null;
    return reading;
  };
  return {
    known: () => facts,
    current() {
      try {
        const looks = mark();
        return knownAs(looks.text) ?? read(looks).catch(unreadable);
      } catch (error) {
        return unreadable(error);
      }
    },
  };
}

const NOTHING = readingOf(UNFOLDED);

function readingOf(folded: Folded): DeclaredReading {
  return { state: 'read', facts: folded.facts, about: (key) => factsAbout(folded, key) };
}

function loaded(checkpoint: DeclaredFactsOptions['checkpoint']): Checkpoint | null {
  const found = checkpoint.load();
  return 'value' in found ? openCheckpoint(found.value) : null;
}

function unreadable(error: unknown): DeclaredReading {
  const { message, hint } = error as Error & { readonly hint?: string };
  return failed(message, hint ?? 'rollcall verify says what is wrong');
}

function failed(text: string, hint: string): DeclaredReading {
  return { state: 'failed', text: visible(`what was declared cannot be read: ${text}`, 600), hint };
}
