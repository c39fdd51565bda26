import { type Attached, type ProcessIndex, paneProcesses } from '../core/pane-processes.ts';
import type { Process, ProcessDetails } from '../core/process.ts';
import type { Recollection, RememberedProcess } from '../core/recollection.ts';
import type { Parts } from './parts.ts';
import { type ProcessReading, readProcess } from './process-notes.ts';

interface Pane {
  readonly pid: number;
  readonly isDead: boolean;
}

/** Reads the processes of panes out of one process table. */
export interface ProcessReader {
  read(pane: Pane, marked: readonly Process[]): readonly ProcessReading[];
}

/**
 * Makes the reader, and at once reads the panes of the last look: most are still there, and this runs while tmux is
 * still busy with its answer.
 */
export function createProcessReader(
  index: ProcessIndex,
  memory: Recollection | null,
  elapsedMs: number,
  parts: Parts,
): ProcessReader {
  const remembered = rememberedProcesses(memory);
  const readNow = (pane: Pane, marked: readonly Process[]): readonly ProcessReading[] => {
    const attached = paneProcesses(pane, index, marked);
    const details = readDetails(attached, remembered, parts);
    const readings = attached.map((one) =>
      readProcess(
        one,
        details.get(one.process.pid),
        remembered.get(one.process.pid),
        elapsedMs,
        parts.naming,
      ),
    );
    return readings.some((reading) => reading.isShared) ? withoutShared(readings) : readings;
  };
  const ahead = new Map<number, readonly ProcessReading[]>();
  for (const pid of panePids(memory)) ahead.set(pid, readNow({ pid, isDead: false }, []));
  return {
    read(pane, marked) {
      const known = pane.isDead || marked.length > 0 ? undefined : ahead.get(pane.pid);
      return known ?? readNow(pane, marked);
    },
  };
}

// Drops servers that work for several panes, with everything below them. One that a person started is that pane's.
function withoutShared(readings: readonly ProcessReading[]): readonly ProcessReading[] {
  const agents = new Set(readings.filter(({ note }) => note.role === 'agent').map(({ note }) => note.pid));
  const isOther = ({ note, isShared }: ProcessReading) =>
    isShared && (note.relation === 'outside' || agents.has(note.parentPid));
  const dropped = new Set(readings.filter(isOther).map(({ note }) => note.pid));
  for (let size = 0; size < dropped.size; ) {
    size = dropped.size;
    for (const { note } of readings) if (dropped.has(note.parentPid)) dropped.add(note.pid);
  }
  return readings.filter(({ note }) => !dropped.has(note.pid));
}

function rememberedProcesses(memory: Recollection | null): Map<number, RememberedProcess> {
  const found = new Map<number, RememberedProcess>();
  for (const pane of panesOf(memory)) for (const process of pane.processes) found.set(process.pid, process);
  return found;
}

function panePids(memory: Recollection | null): Set<number> {
  return new Set([...panesOf(memory)].filter((pane) => !pane.isDead).map((pane) => pane.pid));
}

function* panesOf(memory: Recollection | null) {
  for (const server of Object.values(memory?.servers ?? {})) {
    for (const session of Object.values(server.sessions)) yield* Object.values(session.panes);
  }
}

// Storage counters are read only where CPU time moved: nothing reads or writes without using any.
function readDetails(
  attached: readonly Attached[],
  remembered: ReadonlyMap<number, RememberedProcess>,
  parts: Parts,
): Map<number, ProcessDetails> {
  const still: Process[] = [];
  const moved: Process[] = [];
  for (const { process } of attached) {
    const before = remembered.get(process.pid);
    const isStill =
      before?.startTicks === process.startTicks &&
      before.cpuMs === process.cpuMs + (process.reapedCpuMs ?? 0);
    (isStill ? still : moved).push(process);
  }
  const details = parts.processes.details(still, { io: false });
  if (moved.length > 0) for (const [pid, one] of parts.processes.details(moved)) details.set(pid, one);
  return details;
}
