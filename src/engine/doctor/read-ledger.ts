import type { LedgerFacts } from '../../core/doctor/facts.ts';
import type { LedgerSighting } from '../../core/doctor/sightings.ts';
import { currentFacts } from '../../core/ledger/current-facts.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { Ledger, LedgerReading } from '../../ports/ledger.ts';

type Open = () => Promise<Ledger>;
type Failed = Extract<LedgerFacts, { state: 'failed' }>;

/** What the ledger says of sessions. */
export async function readLedger(open: Open): Promise<LedgerFacts> {
  const reading = await looking(open, (ledger) => ledger.read());
  return 'state' in reading ? reading : factsIn(reading);
}

/** The same and whether the ledger holds together, in one reading: following its chain is most of the work. */
export async function verifyLedger(
  open: Open,
): Promise<{ readonly facts: LedgerFacts; readonly sighting: LedgerSighting }> {
  const check = await looking(open, (ledger) => ledger.verify());
  if ('state' in check) return { facts: check, sighting: check };
  const { path, isEmpty, head, damage, entries } = check;
  const lastAt = entries.at(-1)?.at ?? null;
  return { facts: factsIn(check), sighting: { state: 'checked', path, isEmpty, head, damage, lastAt } };
}

function factsIn({ entries, damage }: LedgerReading): LedgerFacts {
  return { state: 'read', entries, sessions: currentFacts(entries), damage: damage?.text ?? null };
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
