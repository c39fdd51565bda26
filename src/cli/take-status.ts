import type { Status, Weighed } from '../contract/status-document.ts';
import { LedgerError } from '../core/ledger/ledger-error.ts';
import { openIntents } from '../core/ledger/open-intents.ts';
import type { Problem, Roll } from '../core/roll.ts';
import type { MemoryHolder } from '../ports/pressure.ts';
import type { Surroundings } from './surroundings.ts';
import { takeRoll } from './take-roll.ts';

const LARGEST = 5;

/** This version has none; the fields are those of one that runs. */
const NO_DAEMON = { running: false, pid: null, url: null, socket: null, tokenFile: null, since: null };

/** Looks once at the sessions, at the pressure and into the ledger. */
export async function takeStatus(surroundings: Surroundings, servers: readonly string[]): Promise<Status> {
  const roll = await takeRoll(surroundings, servers);
  const look = await surroundings.pressure();
  const { pressure, problems } = look(serversOf(roll));
  const { ledger, problem } = await readLedger(surroundings);
  return {
    roll: { ...roll, problems: [...roll.problems, ...problems, ...(problem === null ? [] : [problem])] },
    daemon: NO_DAEMON,
    pressure,
    largest: largestOf(roll),
    ledger,
  };
}

function serversOf({ servers }: Roll): MemoryHolder[] {
  return servers.flatMap(({ pid, startTicks, label }) =>
    pid === undefined
      ? []
      : [{ pid, name: `tmux server ${label} (pid ${pid})`, ...(startTicks && { startTicks }) }],
  );
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
      const { entries, damage } = ledger.read();
      const last = entries.at(-1) ?? null;
      const isDamaged = damage !== null;
      return {
        ledger: { entries: entries.length, last, openIntents: openIntents(entries), isDamaged },
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
