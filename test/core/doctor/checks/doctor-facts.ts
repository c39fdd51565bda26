import type { DoctorCheck } from '../../../../src/core/doctor/checks/check.ts';
import { reportOf } from '../../../../src/core/doctor/checks/check.ts';
import type { DoctorFacts } from '../../../../src/core/doctor/facts.ts';
import type { CareSightings, MachineSightings } from '../../../../src/core/doctor/sightings.ts';
import { BEGINNING } from '../../../../src/core/ledger/chain.ts';
import type { SessionFacts } from '../../../../src/core/ledger/current-facts.ts';
import type { Process, ProcessTable } from '../../../../src/core/sight/process.ts';
import type { PaneEntry, Roll, SessionEntry } from '../../../../src/core/sight/roll.ts';
import { HOUR, NOW } from '../../../support/evidence.ts';

export const HOST = { machineId: 'machine0', bootId: 'boot0000', name: 'box' };
export const SERVER = { socketPath: '/tmp/tmux-0/main', label: 'main', pid: 42, startTicks: 7 };

/** The key of the session with this number on the one server, made long ago. */
export const keyOf = (number: number, createdAtSeconds = 1000) =>
  `machine0.boot0000.42.7.s${number}.${createdAtSeconds}`;

export function paneEntry(over: Partial<PaneEntry> = {}): PaneEntry {
  return {
    ...{ paneId: '%1', windowIndex: 0, paneIndex: 0, isActive: true, pid: 100, program: 'bash' },
    ...{ activity: 'idle', waitingFor: null, title: '', cwd: '/project', isDead: false },
    ...{ exitStatus: null, exitSignal: null },
    ...over,
  };
}

/** A managed session on a server that answers, with every proof that it may go. */
export function entry(over: Partial<SessionEntry> = {}): SessionEntry {
  return {
    ...{ key: keyOf(1), name: 'build', sessionId: '$1', createdAt: 1_000_000 },
    server: { ...SERVER, version: '3.3a' },
    ...{ activity: 'idle', waitingFor: null, lifecycle: 'safe-to-close', since: NOW.at - HOUR },
    ...{ retainedUntil: null, blockers: [], protections: [], checks: [], agent: null },
    reasons: [{ code: 'agent-says-idle', source: 'agent', observedAt: NOW.at, text: 'it rests' }],
    ...{ role: null, task: null, owner: null, attached: 0, memoryBytes: null },
    ...{ panes: [paneEntry()], evidence: [] },
    ...over,
  };
}

export const NOT_MANAGED = [{ code: 'not-managed', text: 'rollcall neither started nor adopted it' }];

export function process(over: Partial<Process> = {}): Process {
  return {
    ...{ pid: 100, ppid: 1, pgid: 100, sid: 100, tpgid: -1, state: 'S', startTicks: 9 },
    ...{ startedAt: NOW.at - HOUR, comm: 'node', cpuMs: 0, rssBytes: 0 },
    ...over,
  };
}

export function table(processes: readonly Process[] = [], isComplete = true): ProcessTable {
  return { observedAt: NOW.at, byPid: new Map(processes.map((one) => [one.pid, one])), isComplete };
}

/** What the ledger says about a session: nothing but that it is there. */
export function ledgerFacts(over: Partial<SessionFacts> = {}): SessionFacts {
  return {
    ...{ key: keyOf(1), name: 'build', origin: null, held: null, retained: null },
    claims: { task: null, role: null, owner: null, branch: null, worktree: null, pr: null },
    ...{ completion: null, closing: null, closed: null, reopened: null },
    ...over,
  };
}

const HEALTHY: MachineSightings = {
  settings: [
    { state: 'read', socketPath: SERVER.socketPath, pid: 42, options: {}, destroyed: [], leaked: [] },
  ],
  login: { servers: [], endsAtLogout: null, source: null, lingers: null, user: 'me' },
  disk: {
    ...{ state: 'read', path: '/state', totalBytes: 2 ** 40, availableBytes: 2 ** 39 },
    ...{ totalFiles: 1e6, freeFiles: 5e5 },
  },
  stateFolder: { state: 'absent', path: '/state' },
  spool: { state: 'absent', path: '/state/spool' },
  daemon: { state: 'none' },
  hooks: [],
  installed: [],
  readings: [],
  ledger: {
    ...{ state: 'checked', path: '/state/ledger.db', isEmpty: true, head: BEGINNING },
    ...{ damage: null, lastAt: null },
  },
  locks: { state: 'seen', locks: [] },
  programs: [
    { name: 'tmux', isFound: true, path: '/usr/bin' },
    { name: 'git', isFound: true, path: '/usr/bin' },
  ],
  reaper: { mode: 'shadow', breaker: null, problem: null },
  conversations: { count: 0, bytes: 0, maxBytes: 2 ** 31, lost: [] },
};

export interface FactsOver {
  readonly sessions?: readonly SessionEntry[];
  readonly servers?: Roll['servers'];
  readonly table?: ProcessTable;
  readonly ledger?: readonly SessionFacts[] | { readonly failed: string };
  readonly machine?: Partial<MachineSightings>;
  readonly care?: Partial<CareSightings>;
  readonly now?: Partial<DoctorFacts['now']>;
  readonly recollection?: DoctorFacts['recollection'];
  readonly host?: Partial<Roll['host']>;
  readonly problems?: Roll['problems'];
}

/** A machine with one server that answers, on which everything is as it should be. */
export function doctorFacts(over: FactsOver = {}): DoctorFacts {
  const now = { ...NOW, ...over.now };
  const { ledger = [] } = over;
  return {
    roll: {
      ...{ host: { ...HOST, ...over.host }, at: now.at, memory: null },
      problems: over.problems ?? [],
      servers: over.servers ?? [{ ...SERVER, version: '3.8' }],
      sessions: over.sessions ?? [],
    },
    table: over.table ?? table(),
    ledger:
      'failed' in ledger
        ? { state: 'failed', text: ledger.failed, hint: 'look at it' }
        : {
            ...{ state: 'read', entries: [], damage: null },
            sessions: new Map(ledger.map((one) => [one.key, one])),
          },
    recollection: over.recollection ?? null,
    processes: { ownUid: 0, serverPids: new Set(), ownServerPids: new Set(), strangers: [] },
    now,
    machine: { ...HEALTHY, ...over.machine },
    care: {
      ...{ missingFolders: new Set(), orphanPattern: () => undefined, staleHoldMs: 30 * 24 * HOUR },
      ...over.care,
    },
    protectedBy: () => undefined,
  };
}

/** What a check finds, as far as most tests care. */
export function found(check: DoctorCheck, facts: DoctorFacts) {
  return reportOf(check, facts).findings;
}

export function classes(check: DoctorCheck, facts: DoctorFacts): string[] {
  return found(check, facts).map((finding) => finding.class);
}
