import type { Recollection, RememberedProcess } from '../../core/memory/recollection.ts';
import { marksIn } from '../../core/sight/marks.ts';
import {
  type Attached,
  type PanePlace,
  type ProcessIndex,
  paneProcesses,
} from '../../core/sight/pane-processes.ts';
import type { Process, ProcessDetails } from '../../core/sight/process.ts';
import type { SharedNote } from '../../core/verdict/evidence.ts';
import { isDaemon, mayBeDaemon, mayBeServer, serves } from '../../core/verdict/keepers.ts';
import { type InLine, keptIn, lineOf, terminalPlace, whose } from '../../core/verdict/whose.ts';
import type { Parts } from './parts.ts';
import { type ProcessReading, readProcess } from './process-notes.ts';
import { argvOf, createTerminalFacts } from './terminal-facts.ts';

/** What is seen of the processes of one pane. */
export interface PaneProcesses {
  readonly readings: readonly ProcessReading[];
  /** What bears the pane's mark and runs below a daemon that others share. */
  readonly shared: readonly SharedNote[];
}

/** Reads the processes of a pane out of one process table. */
export type ProcessReader = (pane: PanePlace, marked: readonly Process[]) => PaneProcesses;

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
  const readNow: ProcessReader = (pane, marked) => {
    const attached = paneProcesses(pane, index, marked);
    const details = readDetails(attached, remembered, parts);
    const piped = pipedHelpers(attached, details, parts);
    const readings = attached.map((one) => {
      const { pid } = one.process;
      const before = remembered.get(pid);
      return readProcess(one, details.get(pid), before, elapsedMs, parts.naming, piped.has(pid));
    });
    return partShared(withOwners(readings, attached, pane, index, parts), parts);
  };
  const ahead = new Map<string, PaneProcesses>();
  for (const pane of panesOf(memory)) if (!pane.isDead) ahead.set(placeKey(pane), readNow(pane, []));
  return (pane, marked) => {
    const known = pane.isDead || marked.length > 0 ? undefined : ahead.get(placeKey(pane));
    return known ?? readNow(pane, marked);
  };
}

/** Of those that are helpers by their names, those that talk to somebody over pipes. */
function pipedHelpers(
  attached: readonly Attached[],
  details: ReadonlyMap<number, ProcessDetails>,
  { processes, naming }: Pick<Parts, 'processes' | 'naming'>,
): ReadonlySet<number> {
  const named = attached.flatMap(({ process }) => {
    const argv = details.get(process.pid)?.argv;
    // What leads a session of its own may serve others too.
    const isOwn = process.sid !== process.pid;
    return argv !== undefined && isOwn && naming.program(process.comm, argv).helper !== null ? [process] : [];
  });
  return named.length === 0 ? NOBODY : processes.pipedAmong(named);
}

const NOBODY: ReadonlySet<number> = new Set();

function placeKey({ pid, server }: PanePlace): string {
  return `${pid} ${server.pid} ${server.startTicks}`;
}

/** Says of each whether it is nobody's to end. Few are, so what is the pane's own stays the object that it was. */
function withOwners(
  readings: readonly ProcessReading[],
  attached: readonly Attached[],
  pane: PanePlace,
  index: ProcessIndex,
  parts: Parts,
): readonly ProcessReading[] {
  const seen = (at: number): InLine => {
    const { note, isShared } = readings[at] as ProcessReading;
    return { process: (attached[at] as Attached).process, program: note.program, isShared };
  };
  const isPlain = attached.every(({ by, process }, at) => {
    const place = terminalPlace(process, index.byPid);
    return by === 'tree' && (place === 'pane' || place === null) && keptIn([seen(at)]) === null;
  });
  if (isPlain) return readings;
  const named = new Map(attached.map(({ process }, at) => [process.pid, seen(at)]));
  const nameOf = (process: Process): InLine => {
    const known = named.get(process.pid) ?? inLineOf(process, parts);
    named.set(process.pid, known);
    return known;
  };
  const terminals = createTerminalFacts(index.byPid, parts.processes);
  return readings.map((reading, at) => {
    const { process, by } = attached[at] as Attached;
    const all = lineOf(process, index.byPid, by === 'tree' ? pane.pid : undefined);
    const facts = terminals(all);
    const [first, ...above] = all.map((one, place) => ({ ...nameOf(one), ...facts[place] }));
    const { server, isDead } = pane;
    const judged = whose({ by, server, isPaneDead: isDead, line: [first as InLine, ...above] });
    const isKeeper = reading.note.relation === 'outside' && isProvenKeeper(process, index, parts);
    if (judged.of === 'pane' && !isKeeper) return reading;
    const kept = judged.of === 'pane' ? 'it is a server that others use too' : judged.why;
    return { ...reading, note: { ...reading.note, kept, ...(isKeeper && { isKeeper: true as const }) } };
  });
}

// What it runs and has open is asked only of the few that have such a name and left.
function isProvenKeeper(process: Process, { byPid }: ProcessIndex, { processes }: Parts): boolean {
  const parent = byPid.get(process.ppid);
  const isNamed = mayBeDaemon(process, parent);
  const isServer = mayBeServer(process, parent, argvOf(process, processes));
  if (!isNamed && !isServer) return false;
  const signs = processes.daemonSigns([process]).get(process.pid);
  if (signs === undefined) return false;
  return isServer ? serves(signs) : isDaemon(process, signs);
}

function inLineOf(process: Process, { processes, naming }: Pick<Parts, 'processes' | 'naming'>): InLine {
  const { name, isShared } = naming.program(process.comm, argvOf(process, processes));
  return { process, program: name, isShared };
}

function rememberedProcesses(memory: Recollection | null): Map<number, RememberedProcess> {
  const found = new Map<number, RememberedProcess>();
  for (const server of Object.values(memory?.servers ?? {})) {
    for (const { panes } of Object.values(server.sessions)) {
      for (const { processes } of Object.values(panes)) {
        for (const process of processes) found.set(process.pid, process);
      }
    }
  }
  return found;
}

function* panesOf(memory: Recollection | null): Iterable<PanePlace> {
  for (const server of Object.values(memory?.servers ?? {})) {
    for (const session of Object.values(server.sessions)) {
      for (const { pid, isDead } of Object.values(session.panes)) yield { pid, isDead, server };
    }
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

/**
 * Parts what runs below servers that work for several panes from what is the pane's own: it is nobody's, and closing the
 * pane ends none of it. It is told apart, with the conversations that it was started for: among it may be work of this
 * very pane's agent. Servers of tools (MCP) say nothing. A daemon that a person started in the pane is the pane's program.
 */
function partShared(
  readings: readonly ProcessReading[],
  { processes }: Pick<Parts, 'processes'>,
): { readonly readings: readonly ProcessReading[]; readonly shared: readonly SharedNote[] } {
  if (!readings.some(({ isShared }) => isShared)) return { readings, shared: [] };
  const agents = new Set(readings.filter(({ note }) => note.role === 'agent').map(({ note }) => note.pid));
  const isOther = ({ note, isShared }: ProcessReading) =>
    isShared && (note.relation === 'outside' || agents.has(note.parentPid));
  const dropped = new Set(readings.filter(isOther).map(({ note }) => note.pid));
  for (let size = 0; size < dropped.size; ) {
    size = dropped.size;
    for (const { note } of readings) if (dropped.has(note.parentPid)) dropped.add(note.pid);
  }
  const shared = readings.filter(
    ({ note, isShared }) => dropped.has(note.pid) && !isShared && note.helper === undefined,
  );
  return {
    readings: readings.filter(({ note }) => !dropped.has(note.pid)),
    shared: shared.map(({ note: { pid, startTicks, program, command } }) => {
      const conversations = marksIn(processes.environment({ pid, startTicks }) ?? {}).conversations;
      return { pid, startTicks, program, command, conversations };
    }),
  };
}
