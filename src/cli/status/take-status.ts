import { daemonObject } from '../../contract/daemon-documents.ts';
import type { Status, Weighed } from '../../contract/status-document.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import { type Due, duesIn } from '../../core/settle/due.ts';
import type { Problem, Roll } from '../../core/sight/roll.ts';
import { memoryHolders } from '../../engine/look/memory-holders.ts';
import type { DaemonSighting } from '../../ports/daemon.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { takeRoll } from '../roll/take-roll.ts';

const LARGEST = 5;

/** The same as whoever asks from this machine sees it. */
export interface SeenStatus extends Status {
  readonly seen: DaemonSighting;
}

/** Looks once at the sessions, at the pressure and into the ledger. */
export async function takeStatus(
  surroundings: Surroundings,
  servers: readonly string[],
): Promise<SeenStatus> {
  const control = await surroundings.daemonControl();
  const seen = control.see();
  // Before the look, which keeps this process from reading an answer in time.
  const answer = seen.state === 'running' ? await control.answer(seen) : null;
  const roll = await takeRoll(surroundings, servers);
  const look = await surroundings.pressure();
  const { pressure, problems } = look(memoryHolders(roll));
  const { ledger, problem } = await readLedger(surroundings);
  return {
    roll: { ...roll, problems: [...roll.problems, ...problems, ...(problem === null ? [] : [problem])] },
    daemon: daemonObject(seen),
    supervision: seen.state === 'running' ? seen.standing : null,
    ...{ seen, answer },
    pressure,
    largest: largestOf(roll),
    due: dueIn(roll, seen, surroundings),
    ledger,
  };
}

// Whoever is going to close them has the last word; it saw more than one look does.
function dueIn({ sessions, at }: Roll, seen: DaemonSighting, { settings }: Surroundings): readonly Due[] {
  const told = seen.state === 'running' ? seen.standing?.settle : undefined;
  if (told === undefined) return duesIn(sessions, at, settings);
  const keys = new Set(sessions.map(({ key }) => key));
  return told.due.filter(({ key }) => keys.has(key));
}

function largestOf({ sessions }: Roll): Weighed[] {
  return sessions
    .filter((entry): entry is Weighed => entry.memoryBytes !== null)
    .toSorted((a, b) => b.memoryBytes - a.memoryBytes)
    .slice(0, LARGEST);
}

async function readLedger({
  ledger: open,
}: Surroundings): Promise<{ ledger: Status['ledger']; problem: Problem | null }> {
  try {
    const ledger = await open();
    try {
      const { head, folded, damage } = ledger.facts();
      const last = ledger.read({ last: 1 }).entries.at(-1) ?? null;
      const openIntents = [...folded.openIntents.values()];
      return {
        ledger: { entries: head.sequence, last, openIntents, isDamaged: damage !== null },
        problem: null,
      };
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const { message, hint } = error;
    return { ledger: null, problem: { code: 'ledger-unread', text: `the ledger: ${message}`, hint } };
  }
}
