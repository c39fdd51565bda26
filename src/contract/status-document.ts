import type { LedgerEntry } from '../core/ledger/entry.ts';
import type { Pressure } from '../core/pressure/judge-pressure.ts';
import type { JudgedSignal } from '../core/pressure/judge-signal.ts';
import type { Signal } from '../core/pressure/reading.ts';
import { offeredIn } from '../core/restore/offer.ts';
import type { Due } from '../core/settle/due.ts';
import type { Roll, SessionEntry } from '../core/sight/roll.ts';
import type { DaemonAnswer } from '../core/supervision/answering.ts';
import type { DaemonStanding } from '../ports/daemon.ts';
import { supervisionObject } from './daemon-documents.ts';
import { toDocument } from './document.ts';
import { problemObject, toHostObject } from './roll-document.ts';
import type { StatusDocument } from './status-schema.ts';

/** A session whose memory is known. */
type Weighed = SessionEntry & { readonly memoryBytes: number };

/** What `rollcall status` knows. */
export interface StatusFacts {
  readonly roll: Pick<Roll, 'host' | 'at' | 'sessions' | 'problems'>;
  readonly daemon: Readonly<StatusDocument['daemon']>;
  /** How the daemon does, where one runs and has told. */
  readonly supervision?: DaemonStanding | null;
  /** Whether it does its work; null where none runs, where it is not ready, and of the one that speaks itself. */
  readonly answer?: DaemonAnswer | null;
  readonly pressure: Pressure;
  /** What is to be closed because its work was declared complete. */
  readonly due: readonly Due[];
  readonly ledger: {
    readonly entries: number;
    readonly last: LedgerEntry | null;
    readonly openIntents: readonly LedgerEntry[];
    readonly isDamaged: boolean;
  } | null;
}

/** The state of the machine as `rollcall status --json` prints it. */
export function toStatusDocument(status: StatusFacts): StatusDocument {
  const { roll, supervision, answer, pressure, due, ledger } = status;
  const { running, pid, url, socket, tokenFile, since } = status.daemon;
  return toDocument({
    host: toHostObject(roll.host),
    at: roll.at,
    daemon: { running, pid, url, socket, tokenFile, since },
    supervision: supervision ? supervisionObject(supervision) : null,
    answer: answer ?? null,
    pressure: pressureObject(pressure),
    sessions: {
      count: roll.sessions.length,
      memoryBytes: roll.sessions.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0),
      largest: largestOf(roll.sessions).map(({ key, name, server, activity, lifecycle, memoryBytes }) => ({
        ...{ key, name, server: server.label, activity, lifecycle, memoryBytes },
      })),
    },
    due: due.map(({ key, name, dueAt, why, state }) => ({ key, name, dueAt, why, state })),
    lost: offeredIn(roll.sessions).map(({ key, name, server, since }) => ({
      ...{ key, name, server: server.label, lastSeenAt: since },
    })),
    ledger: ledger && {
      entries: ledger.entries,
      last: ledger.last && entryObject(ledger.last),
      openIntents: ledger.openIntents.map(({ sequence }) => sequence),
      isDamaged: ledger.isDamaged,
    },
    problems: roll.problems.map(problemObject),
  });
}

const LARGEST = 5;

/** The sessions that take most memory, the largest first, and only the first few. */
export function largestOf(sessions: readonly SessionEntry[]): Weighed[] {
  return sessions
    .filter((entry): entry is Weighed => entry.memoryBytes !== null)
    .toSorted((a, b) => b.memoryBytes - a.memoryBytes)
    .slice(0, LARGEST);
}

export function pressureObject(pressure: Pressure): StatusDocument['pressure'] {
  const { tier, since, isFirstLook, reason, next, signals } = pressure;
  return {
    ...{ tier, since, isFirstLook, reason: { ...reason }, next: next && { ...next } },
    signals: signals.map(signalObject),
  };
}

function entryObject({ sequence, at, kind, action, session }: LedgerEntry) {
  return { sequence, at, kind, action, session: session?.name ?? null };
}

const UNITS = {
  'stall-some': 'percent',
  'stall-full': 'percent',
  available: 'bytes',
  swap: 'bytes',
  oom: 'count',
  'os-level': 'level',
} as const satisfies Record<Signal, string>;

type SignalObject = StatusDocument['pressure']['signals'][number];

function signalObject({ key, reading, thresholds, reached, heldMs }: JudgedSignal): SignalObject {
  const { signal, scope, holders, source, observedAt, state } = reading;
  const isRead = reading.state === 'read';
  return {
    ...{ key, signal, scope, holders: [...holders], source, observedAt, state, unit: UNITS[signal] },
    value: isRead ? reading.value : null,
    totalBytes: isRead ? (reading.totalBytes ?? null) : null,
    averages: isRead ? (reading.averages ?? []).map(({ overMs, value }) => ({ overMs, value })) : [],
    note: isRead ? (reading.note ?? null) : null,
    text: isRead ? null : reading.text,
    thresholds: thresholds && { ...thresholds },
    reached,
    heldMs: { moderate: finite(heldMs.moderate), critical: finite(heldMs.critical) },
  };
}

// What is counted has happened, and did not last.
function finite(ms: number | null): number | null {
  return ms !== null && Number.isFinite(ms) ? ms : null;
}
