import type { DoctorFacts, LedgerFacts, ProcessFacts } from '../../core/doctor/facts.ts';
import { currentFacts } from '../../core/ledger/current-facts.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { DoctorParts } from './parts.ts';
import { senseStrangers } from './strangers.ts';

/** What is being gathered, for whoever waits. */
export type GatherStep = 'sessions' | 'ledger' | 'processes' | 'machine';

/** Sees everything once: one look, its process table, one reading of the ledger. Changes nothing. */
export async function gather(
  parts: DoctorParts,
  onStep: (step: GatherStep) => void = () => {},
): Promise<DoctorFacts> {
  const seen = await gatherProcesses(parts, onStep);
  onStep('machine');
  return { ...seen, now: parts.host.now(), ...(await parts.sight(seen.roll)) };
}

/** Only what it takes to tell whose processes are. */
export async function gatherProcesses(
  parts: DoctorParts,
  onStep: (step: GatherStep) => void = () => {},
): Promise<ProcessFacts> {
  // Before the look, which writes down what is there now.
  const { value: recollection } = parts.recollections.load();
  onStep('sessions');
  const roll = await parts.look();
  const table = parts.processes.table();
  onStep('ledger');
  const ledger = await readLedger(parts);
  const isOfThisBoot = recollection?.bootId === roll.host.bootId;
  const seen = { roll, table, ledger, recollection: isOfThisBoot ? recollection : null };
  onStep('processes');
  return { ...seen, processes: senseStrangers(seen, parts), protectedBy: parts.protectedBy };
}

// After the look: what was recorded meanwhile counts.
async function readLedger({ openLedger }: DoctorParts): Promise<LedgerFacts> {
  try {
    const ledger = await openLedger();
    try {
      const { entries, damage } = ledger.read();
      return { state: 'read', entries, sessions: currentFacts(entries), damage: damage?.text ?? null };
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return { state: 'failed', text: error.message, hint: error.hint };
  }
}
