import type { LedgerFacts } from '../../core/doctor/facts.ts';
import type { LedgerSighting } from '../../core/doctor/sightings.ts';
import type { Head } from '../../core/ledger/chain.ts';
import { currentFacts } from '../../core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { Ledger, LedgerReach } from '../../ports/ledger.ts';

type Open = () => Promise<Ledger>;
type Failed = Extract<LedgerFacts, { state: 'failed' }>;

/** The ledger for one doctor: what it has read once, it does not read again. */
export interface LedgerReader {
  /** What the ledger says of sessions. */
  read(bootId: string): Promise<LedgerFacts>;
  /** The same and whether the ledger holds together, in one reading: following its chain is most of the work. */
  verify(bootId: string): Promise<{ readonly facts: LedgerFacts; readonly sighting: LedgerSighting }>;
}

interface Kept {
  readonly bootId: string;
  readonly head: Head;
  readonly entries: readonly LedgerEntry[];
}

/** Keeps entries of one boot only: processes of an earlier one are gone. */
export function createLedgerReader(open: Open): LedgerReader {
  let kept: Kept | null = null;

  const factsIn = (
    ledger: Ledger,
    bootId: string,
    entries: readonly LedgerEntry[],
    { head, damage }: LedgerReach,
  ): LedgerFacts => {
    kept = damage === null ? { bootId, head, entries } : null;
    // Sessions that were closed long ago are not among the facts any more; what they left may still run.
    const sessions = new Map([...currentFacts(entries), ...ledger.facts().folded.facts]);
    return { state: 'read', entries, sessions, damage: damage?.text ?? null };
  };

  return {
    read: (bootId) =>
      looking(open, (ledger) => {
        const known = kept?.bootId === bootId && kept.head.sequence > 0 ? kept : null;
        const tail = known === null ? null : ledger.read({ after: known.head });
        if (known !== null && tail !== null && tail.damage === null) {
          return factsIn(ledger, bootId, [...known.entries, ...tail.entries], tail);
        }
        const all = ofBoot(bootId);
        const reach = ledger.scan(all.begin);
        return factsIn(ledger, bootId, all.entries(), reach);
      }),
    async verify(bootId) {
      const looked = await looking(open, (ledger) => {
        const all = ofBoot(bootId);
        const { path, isEmpty, head, damage, lastAt } = ledger.verify(all.begin);
        const facts = factsIn(ledger, bootId, all.entries(), { isEmpty, head, damage });
        return { facts, sighting: { state: 'checked', path, isEmpty, head, damage, lastAt } as const };
      });
      return 'state' in looked ? { facts: looked, sighting: looked } : looked;
    },
  };
}

function ofBoot(bootId: string): {
  begin(): (entry: LedgerEntry) => void;
  entries(): readonly LedgerEntry[];
} {
  let found: LedgerEntry[] = [];
  return {
    begin() {
      found = [];
      return (entry) => {
        if (entry.bootId === bootId && entry.session !== null) found.push(entry);
      };
    },
    entries: () => found,
  };
}

async function looking<T>(open: Open, look: (ledger: Ledger) => T): Promise<T | Failed> {
  try {
    const ledger = await open();
    try {
      return look(ledger);
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return { state: 'failed', text: error.message, hint: error.hint };
  }
}
