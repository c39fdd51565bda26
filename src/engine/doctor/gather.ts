import { unproven } from '../../core/doctor/attribute.ts';
import type { DoctorFacts, LedgerFacts, ProcessFacts } from '../../core/doctor/facts.ts';
import { isOfHere } from '../../core/memory/recollection.ts';
import { processKey } from '../../core/sight/identity.ts';
import type { DoctorParts } from './parts.ts';
import { senseStrangers } from './strangers.ts';

/** What is being gathered, for whoever waits. */
export type GatherStep = 'sessions' | 'ledger' | 'processes' | 'machine';

/** Sees everything once: one look, its process table, one reading of the ledger. Changes nothing. */
export async function gather(
  parts: DoctorParts,
  onStep: (step: GatherStep) => void = () => {},
): Promise<DoctorFacts> {
  onStep('sessions');
  const looked = await lookAround(parts);
  // tmux and the installed agents answer while the ledger and the processes are read.
  const sight = parts.sight(looked.roll);
  const rest = async () => {
    onStep('ledger');
    const { facts, sighting } = await parts.ledger.verify(looked.roll.host.bootId);
    onStep('processes');
    const seen = await senseProcesses(looked, facts, parts);
    onStep('machine');
    return { seen, ledger: sighting };
  };
  const [{ machine, care }, { seen, ledger }] = await Promise.all([sight, rest()]);
  return { ...seen, now: parts.host.now(), machine: { ...machine, ledger }, care };
}

/** Only what it takes to tell whose processes are. */
export async function gatherProcesses(parts: DoctorParts): Promise<ProcessFacts> {
  const looked = await lookAround(parts);
  return senseProcesses(looked, await parts.ledger.read(looked.roll.host.bootId), parts);
}

type Looked = Pick<DoctorFacts, 'roll' | 'table' | 'recollection'>;

async function lookAround(parts: DoctorParts): Promise<Looked> {
  // Before the look, which writes down what is there now.
  const { value: recollection } = parts.recollections.load();
  const roll = await parts.look();
  const isOurs = recollection !== null && isOfHere(recollection, roll.host);
  return { roll, table: parts.processes.table(), recollection: isOurs ? recollection : null };
}

// The ledger is read after the look: what was recorded meanwhile counts.
async function senseProcesses(
  looked: Looked,
  ledger: LedgerFacts,
  parts: DoctorParts,
): Promise<ProcessFacts> {
  const seen = { ...looked, ledger };
  const facts = {
    ...{ ...seen, processes: senseStrangers(seen, parts) },
    ...{ protectedBy: parts.protectedBy, now: parts.host.now() },
  };
  // Only where it decides something: a second reading takes its time.
  const candidates = unproven(facts);
  if (candidates.length === 0) return facts;
  const progress = await parts.watch(candidates);
  // After the wait: whoever came meanwhile counts.
  const ties = parts.ties.tiesOf(candidates);
  const strangers = facts.processes.strangers.map((one) => {
    const { pid } = one.process;
    const seen = { ...one, progress: progress.get(processKey(one.process)) ?? null };
    return ties.has(pid) ? { ...seen, ties: ties.get(pid) ?? null } : seen;
  });
  return { ...facts, processes: { ...facts.processes, strangers } };
}
