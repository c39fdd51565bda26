import type { DoctorFacts } from '../../../src/core/doctor/facts.ts';
import type { Stranger } from '../../../src/core/doctor/process-scene.ts';
import type { ThreadRest } from '../../../src/core/doctor/rest.ts';
import type { Ties } from '../../../src/core/doctor/ties.ts';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { helperNamed } from '../../../src/core/sight/helper-kind.ts';
import { marksIn } from '../../../src/core/sight/marks.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import {
  doctorFacts,
  type FactsOver,
  HOST,
  keyOf,
  ledgerFacts,
  process,
  SERVER,
  table,
} from './checks/doctor-facts.ts';

const { socketPath } = SERVER;

/** What a process of pane %1 of session $1 on the server of the tests bears. */
export const MARKED = { TMUX: `${socketPath},42,1`, TMUX_PANE: '%1' };

export const ASLEEP: ThreadRest = { states: 'SS', isTraced: false, isFrozen: false };

/** Nobody can talk to it. */
export const ALONE: Ties = {
  ...{ holders: [], isListening: false, sockets: [], terminals: [], doors: [], unread: [] },
  cgroup: null,
};

interface StrangerOver extends Partial<Omit<Stranger, 'process' | 'marks' | 'program'>> {
  readonly process?: Partial<Process>;
  readonly env?: Readonly<Record<string, string>> | null;
  readonly program?: Partial<Stranger['program']>;
}

/** A process under no pane that left the pane of the tests. */
export function stranger(over: StrangerOver = {}): Stranger {
  const { process: changes, env = MARKED, program, ...rest } = over;
  return {
    process: process({ pid: 500, ...changes }),
    program: { name: 'sleep', role: 'command', command: 'sleep 1000', ...program },
    ...{ argv: ['sleep', '1000'], sharedBy: null, uid: 0, memoryBytes: 4096 },
    progress: { ...{ elapsedMs: 1000, cpuMs: 0, ioBytes: 0 }, rests: [ASLEEP, ASLEEP] },
    ...{ ignoresHangup: false, ties: ALONE },
    marks: env === null ? null : marksIn(env),
    helper: helperNamed(over.argv ?? []),
    ...rest,
  };
}

/** Session $1 of the tests' server, taken into care. */
export function careOf(over: Partial<SessionFacts> = {}): SessionFacts {
  const { pid, startTicks } = SERVER;
  const place = { server: { socketPath, pid, startTicks }, sessionId: '$1', createdAtSeconds: 1000 };
  return ledgerFacts({ origin: { at: 0, sequence: 1, how: 'started', place }, ...over });
}

interface ProcessFactsOver extends FactsOver {
  readonly strangers?: readonly Stranger[];
  /** Besides the strangers, the server and process 1. */
  readonly others?: readonly Process[];
  readonly entries?: readonly LedgerEntry[];
  readonly serverPids?: readonly number[];
  readonly ownServerPids?: readonly number[];
  readonly protect?: string;
  readonly isComplete?: boolean;
  readonly isServerGone?: boolean;
}

/** A machine on which session $1 was under care and is gone, on a server that answers. */
export function processFacts(over: ProcessFactsOver = {}): DoctorFacts {
  const { strangers = [], others = [], entries = [], serverPids = [42], protect } = over;
  const server = process({ pid: 42, startTicks: 7, comm: 'tmux: server' });
  const all = [
    process({ pid: 1, ppid: 0, startTicks: 1, comm: 'code' }),
    ...(over.isServerGone ? [] : [server]),
    ...strangers.map((one) => one.process),
    ...others,
  ];
  const facts = doctorFacts({
    ledger: [careOf()],
    table: table(all, over.isComplete ?? true),
    ...over,
  });
  return {
    ...facts,
    ledger: facts.ledger.state === 'read' ? { ...facts.ledger, entries } : facts.ledger,
    processes: {
      ...{ ownUid: 0, strangers, serverPids: new Set(serverPids) },
      ownServerPids: new Set(over.ownServerPids ?? serverPids),
    },
    protectedBy: (name) => (name === protect ? protect : undefined),
  };
}

let sequence = 0;

/** An entry of this boot about session $1. */
export function entryOn(over: Partial<LedgerEntry>): LedgerEntry {
  sequence += 1;
  return {
    ...{ sequence, previous: '', hash: '', at: 0, host: HOST.machineId, bootId: HOST.bootId },
    actor: { kind: 'cli', pid: 1, user: 'me' },
    ...{ kind: 'intent', action: 'close', session: { key: keyOf(1), name: 'build' }, cause: null, body: {} },
    ...over,
  };
}
