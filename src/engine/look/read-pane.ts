import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { PaneReading } from '../../core/memory/remember-pane.ts';
import { frontShell } from '../../core/prompt/doubt.ts';
import { lineageOf } from '../../core/sight/lineage.ts';
import type { PaneSighting } from '../../core/sight/sighting.ts';
import type { PaneSleep } from '../../core/sleep/asleep.ts';
import type { Evidence, PaneEvidence, ProcessNote } from '../../core/verdict/evidence.ts';
import { unseenIn } from '../../core/verdict/unseen-folder.ts';
import type { Parts } from './parts.ts';
import type { ProcessReading } from './process-notes.ts';
import type { PaneProcesses } from './process-reader.ts';

/** Everything one look has on one pane before history is added. */
export interface PaneLook {
  readonly sighting: PaneSighting;
  readonly reading: PaneReading;
  readonly evidence: readonly Evidence[];
  readonly program: string | null;
  readonly cwd: string | null;
  /** Why the folder that something in it works in cannot be seen, or null. */
  readonly unseen: string | null;
  /** The program that works in `cwd`; null where that is only where it was started, or what tmux or an earlier look says. */
  readonly worker: ProcessNote | null;
  readonly processes: readonly ProcessNote[];
  readonly readings: readonly ProcessReading[];
}

/** When a pane was seen, and what an earlier look knew. */
export interface PaneSeen {
  readonly tmuxAt: number;
  /** Null when its processes could not be seen. */
  readonly processesAt: number | null;
  readonly earlierCwd?: string | undefined;
  /** What sleeps in it. */
  readonly sleep?: PaneSleep | null;
}

/** Turns what the sensors saw of a pane into evidence. */
export function readPane(
  pane: PaneSighting,
  seen: PaneSeen,
  { readings, shared }: PaneProcesses,
  { naming, shells }: Pick<Parts, 'naming' | 'shells'>,
): PaneLook {
  const notes = readings.map((reading) => reading.note);
  const lineage = lineageOf(notes);
  const agent = notes.find((note) => note.role === 'agent' && note.relation !== 'outside');
  const front = frontProcess(notes, agent);
  const agentStarted = naming.agentStarted(pane.startCommand);
  const root = readings.find((reading) => reading.note.relation === 'root');
  const own = readings.find((reading) => reading.note === front);
  // A path that leads elsewhere is nobody's to use, nor is any other in its place.
  const isElsewhere = own?.unseen === 'elsewhere';
  const cwd = isElsewhere ? undefined : (own?.cwd ?? root?.cwd ?? pane.currentPath);
  const unseen = unseenIn(readings, own);
  const { paneId, pid, isDead, lastOutputAt } = pane;
  const others = notes.filter(
    (note) =>
      (note.role === 'interactive' || note.role === 'command' || note.role === 'remote') &&
      note.relation === 'foreground' &&
      !lineage.isTransparent(note),
  );
  const reading: Writable<PaneReading> = {
    paneId,
    pid,
    startTicks: root?.note.startTicks ?? 0,
    isDead,
    isUsedOtherwise: others.length > 0,
    processes: readings.map((one) => one.remembered),
  };
  if (agent?.agentKind !== undefined) reading.agent = agent.agentKind;
  if (agentStarted !== undefined) reading.agentStarted = agentStarted;
  if (cwd !== undefined) reading.cwd = cwd;
  if (lastOutputAt !== undefined) reading.lastOutputAt = lastOutputAt;
  const shell = isDead ? null : frontShell(notes);
  const glance = shell && shells.glance(shell);
  if (glance !== null) reading.shell = glance;
  const started = youngestOfShells(others, notes);
  if (started) reading.started = started;
  // Every process of the pane has the same terminal, and its first one stays.
  const terminal = glance === null && !isDead && !agent && root ? shells.glance(root.note) : null;
  if (terminal !== null) reading.terminal = { ...terminal, isWaiting: false };
  const evidence = [paneEvidence(pane, seen)];
  if (seen.processesAt !== null) {
    const observedAt = seen.processesAt;
    const seenIn = { kind: 'processes', source: 'process', observedAt, paneId, processes: notes } as const;
    const known = unseen === null ? seenIn : { ...seenIn, unseen };
    evidence.push(shared.length === 0 ? known : { ...known, shared });
  }
  return {
    sighting: pane,
    reading,
    evidence,
    program: front?.program ?? null,
    cwd: isElsewhere ? null : (cwd ?? seen.earlierCwd ?? pane.startPath ?? null),
    unseen,
    worker: own?.cwd === undefined ? null : own.note,
    processes: notes,
    readings,
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function paneEvidence(pane: PaneSighting, { tmuxAt: observedAt, sleep }: PaneSeen): Evidence {
  const { paneId, isDead, isInMode, isWindowShared, title } = pane;
  const evidence: Writable<PaneEvidence> = {
    kind: 'pane',
    source: 'tmux',
    observedAt,
    paneId,
    isDead,
    isInMode,
    isWindowShared,
    title,
  };
  if (pane.exitStatus !== undefined) evidence.exitStatus = pane.exitStatus;
  if (pane.exitSignal !== undefined) evidence.exitSignal = pane.exitSignal;
  if (pane.lastOutputAt !== undefined) evidence.lastOutputAt = pane.lastOutputAt;
  if (pane.isFullScreen !== undefined) evidence.isFullScreen = pane.isFullScreen;
  if (pane.isPiped) evidence.isPiped = true;
  if (pane.hasNoTerminal) evidence.hasNoTerminal = true;
  if (pane.tty !== undefined && !isDead) evidence.tty = pane.tty;
  if (isDead) evidence.deadPid = pane.pid;
  if (sleep) evidence.asleep = sleep;
  return evidence;
}

// What a program starts itself, as `rollcall complete` does, is no new use of the shell.
function youngestOfShells(
  others: readonly ProcessNote[],
  notes: readonly ProcessNote[],
): PaneReading['started'] {
  const shells = new Set(notes.filter(({ role }) => role === 'shell').map(({ pid }) => pid));
  const own = others.filter(({ parentPid }) => shells.has(parentPid));
  const [youngest] = own.toSorted((one, other) => other.startTicks - one.startTicks);
  return youngest && pickStart(youngest);
}

function pickStart({ pid, startTicks, startedAt }: ProcessNote): NonNullable<PaneReading['started']> {
  return { pid, startTicks, startedAt };
}

// What a person would say runs in the pane: the agent, else what has the foreground, else the pane's own program.
function frontProcess(
  notes: readonly ProcessNote[],
  agent: ProcessNote | undefined,
): ProcessNote | undefined {
  return (
    agent ??
    notes.find((note) => note.relation === 'foreground' && note.role !== 'wrapper') ??
    notes.find((note) => note.relation === 'root')
  );
}

/** What sleeps in a pane, if its process is the very sleeper that the ledger tells of, alive or dead. */
export function sleepIn(
  { asleep }: Pick<SessionFacts, 'asleep'>,
  { paneId, pid, isDead }: PaneSighting,
  { readings }: PaneProcesses,
): PaneSleep | null {
  if (asleep?.paneId !== paneId || asleep.pid !== pid) return null;
  const isIt = isDead || readings.some(({ note }) => isSleeper(note, asleep));
  const { at, receipt, kind: agentKind, conversation, freedBytes } = asleep;
  return isIt ? { at, receipt, agentKind, conversation, freedBytes } : null;
}

/** The processes of a pane in which something sleeps: its sleeper is no command. */
export function withSleeper(
  processes: PaneProcesses,
  { asleep }: Pick<SessionFacts, 'asleep'>,
): PaneProcesses {
  const readings = processes.readings.map((reading) => {
    const { note } = reading;
    const isIt = asleep !== undefined && isSleeper(note, asleep);
    return isIt ? { ...reading, note: { ...note, role: 'sleeper' as const, program: 'sleeper' } } : reading;
  });
  return { ...processes, readings };
}

function isSleeper(note: ProcessNote, asleep: NonNullable<SessionFacts['asleep']>): boolean {
  return note.relation === 'root' && note.pid === asleep.pid && note.startTicks === asleep.startTicks;
}
