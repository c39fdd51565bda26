import type { HistoryEvidence } from './evidence.ts';
import type { Moment } from './moment.ts';
import type { RememberedPane, RememberedProcess } from './recollection.ts';
import { rememberInput } from './shell-input.ts';
import type { ShellGlance } from './sighting.ts';

/** What this look saw of a pane, as far as the next one will need it. */
export interface PaneReading {
  readonly paneId: string;
  readonly pid: number;
  readonly startTicks: number;
  readonly isDead: boolean;
  /** The agent that runs in it now. */
  readonly agent?: string;
  /** The agent that the pane was started for. */
  readonly agentStarted?: string;
  /** Something else than a shell or an agent is in the foreground: the terminal has found another use. */
  readonly isUsedOtherwise: boolean;
  readonly cwd?: string;
  readonly processes: readonly RememberedProcess[];
  readonly lastOutputAt?: number;
  /** The shell in front of it. */
  readonly shell?: ShellGlance;
}

// An idle full-screen agent redraws at up to 2.4 % of a core (measured); work between two looks costs more.
const IDLE_CPU_SHARE = 0.05;
const IDLE_CPU_MS = 100;
const IDLE_IO_BYTES = 65_536;

/** Compares a pane with what it was at the last look and says what that adds as evidence. */
export function rememberPane(
  reading: PaneReading,
  earlier: RememberedPane | undefined,
  elapsedMs: number,
  now: Moment,
): { readonly pane: RememberedPane; readonly evidence: HistoryEvidence } {
  const previous = earlier && isSamePane(reading, earlier) ? earlier : undefined;
  const isDisturbed = previous !== undefined && hasChanged(reading, previous, elapsedMs);
  const quietSinceAwakeMs = previous && !isDisturbed ? previous.quietSinceAwakeMs : now.awakeMs;
  const agentSeen = agentIn(reading, previous);
  const cwd = reading.cwd ?? previous?.cwd;
  const wasDisturbed = isDisturbed || (previous?.isDisturbed ?? false);
  const pane: Writable<RememberedPane> = {
    pid: reading.pid,
    startTicks: reading.startTicks,
    isDead: reading.isDead,
    processes: reading.processes,
    observations: (previous?.observations ?? 0) + 1,
    quietSinceAwakeMs,
    isDisturbed: wasDisturbed,
  };
  const quietMs = now.awakeMs - quietSinceAwakeMs;
  const evidence: Writable<HistoryEvidence> = {
    kind: 'history',
    source: 'history',
    observedAt: now.at,
    paneId: reading.paneId,
    observations: pane.observations,
    quietMs,
  };
  if (agentSeen !== undefined) {
    pane.agentSeen = agentSeen;
    evidence.agentSeen = agentSeen;
  }
  if (cwd !== undefined) pane.cwd = cwd;
  if (previous?.muteAt !== undefined) pane.muteAt = previous.muteAt;
  if (previous?.prompt !== undefined) pane.prompt = previous.prompt;
  if (reading.lastOutputAt !== undefined) pane.lastOutputAt = reading.lastOutputAt;
  // While an agent is there, what is entered is its own matter.
  if (reading.agent === undefined) {
    const { input, entered } = rememberInput(reading.shell, previous?.input, agentSeen !== undefined);
    if (input !== undefined) pane.input = input;
    if (entered !== undefined) evidence.entered = entered;
  }
  if (wasDisturbed) evidence.disturbedMs = quietMs;
  return { pane, evidence };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function isSamePane(reading: PaneReading, earlier: RememberedPane): boolean {
  return reading.pid === earlier.pid && (reading.startTicks === earlier.startTicks || reading.isDead);
}

function hasChanged(reading: PaneReading, previous: RememberedPane, elapsedMs: number): boolean {
  if (reading.isDead !== previous.isDead || reading.lastOutputAt !== previous.lastOutputAt) return true;
  return (
    !isSameSet(reading.processes, previous.processes) ||
    hasWorked(reading.processes, previous.processes, elapsedMs)
  );
}

function isSameSet(now: readonly RememberedProcess[], before: readonly RememberedProcess[]): boolean {
  if (now.length !== before.length) return false;
  const starts = new Map(before.map((process) => [process.pid, process.startTicks]));
  return now.every((process) => starts.get(process.pid) === process.startTicks);
}

// Counters also show work that began and ended between two looks and left the screen as it was.
function hasWorked(
  now: readonly RememberedProcess[],
  before: readonly RememberedProcess[],
  elapsedMs: number,
): boolean {
  const cpuMs = sum(now, (process) => process.cpuMs) - sum(before, (process) => process.cpuMs);
  const ioBytes =
    sum(now, (process) => process.ioBytes ?? 0) - sum(before, (process) => process.ioBytes ?? 0);
  return cpuMs > IDLE_CPU_MS + elapsedMs * IDLE_CPU_SHARE || ioBytes > IDLE_IO_BYTES;
}

// What the pane was started for counts at first sight only: once its leftover has found another use, it is a person's.
function agentIn(reading: PaneReading, previous: RememberedPane | undefined): string | undefined {
  if (reading.agent !== undefined) return reading.agent;
  if (reading.isUsedOtherwise) return undefined;
  return previous ? previous.agentSeen : reading.agentStarted;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
