import { isSameProcess, type ProcessMark } from '../sight/identity.ts';
import type { ShellGlance } from '../sight/sighting.ts';
import type { Moment } from '../text/moment.ts';
import type { HistoryEvidence } from '../verdict/evidence.ts';
import { isJudged, isWork, useSince } from './pane-use.ts';
import type { PaneUse, RememberedPane } from './recollection.ts';
import { followWord, type WordReading } from './remember-word.ts';
import { AT_WORK, isReadSince, type RememberedInput, rememberInput } from './shell-input.ts';

/** What this look saw of a pane, as far as the next one will need it. */
export interface PaneReading
  extends Pick<RememberedPane, 'pid' | 'startTicks' | 'isDead' | 'cwd' | 'processes' | 'lastOutputAt'> {
  readonly paneId: string;
  /** The agent that runs in it now. */
  readonly agent?: string;
  /** The agent that the pane was started for. */
  readonly agentStarted?: string;
  /** Something else than a shell or an agent is in the foreground: the terminal has found another use. */
  readonly isUsedOtherwise: boolean;
  /** The youngest such program that a shell started. */
  readonly started?: ProcessMark & { readonly startedAt: number };
  /** The shell in front of it. */
  readonly shell?: ShellGlance;
  /** Its terminal, where neither a bare shell nor an agent is in front. */
  readonly terminal?: ShellGlance;
  /** The completion that speaks for it. */
  readonly word?: WordReading;
}

/** Compares a pane with what it was at the last look and says what that adds as evidence. */
export function rememberPane(
  reading: PaneReading,
  earlier: RememberedPane | undefined,
  elapsedMs: number,
  now: Moment,
): { readonly pane: RememberedPane; readonly evidence: HistoryEvidence } {
  const previous = earlier && isSamePane(reading, earlier) ? earlier : undefined;
  const used = previous && useBetween(reading, previous, elapsedMs);
  const isDisturbed = previous !== undefined && (!used || isWork(used));
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
  if (used && !isDisturbed && !isJudged(used)) pane.used = used;
  if (previous?.muteAt !== undefined) pane.muteAt = previous.muteAt;
  if (previous?.prompt !== undefined) pane.prompt = previous.prompt;
  if (reading.lastOutputAt !== undefined) pane.lastOutputAt = reading.lastOutputAt;
  const done = lookAtInput(reading, previous, pane, evidence);
  if (reading.word) {
    const word = followWord(reading.word, previous?.word, done);
    pane.word = word;
    if (word.used !== undefined) evidence.used = word.used;
    if (word.restedAt !== undefined) evidence.restedAt = word.restedAt;
  }
  if (wasDisturbed) evidence.disturbedMs = quietMs;
  return { pane, evidence };
}

/** Adds what is known of the shell in front, and returns what was done in it since a completion spoke for it. */
function lookAtInput(
  reading: PaneReading,
  previous: RememberedPane | undefined,
  pane: Writable<RememberedPane>,
  evidence: Writable<HistoryEvidence>,
): string | undefined {
  // What a person entered stays theirs for as long as the shell lives, whatever runs in it meanwhile.
  if (previous?.entered !== undefined) pane.entered = previous.entered;
  // While an agent is there, what is entered is its own matter.
  if (reading.agent !== undefined) return undefined;
  const { word, shell } = reading;
  const isLeftover = pane.agentSeen !== undefined;
  const isNewWord = word !== undefined && previous?.word?.at !== word.at;
  // What was entered in a worker's shell before its work was declared complete was part of that work.
  const before = isNewWord && !isLeftover ? word.input : (previous?.input ?? word?.input);
  const { input, entered } = rememberInput(shell, before, isLeftover, word?.isClosing);
  if (input !== undefined) pane.input = input;
  const glance = shell ?? reading.terminal;
  if (glance) evidence.input = toCompare(glance);
  const wasWaiting = before !== undefined && before.turns !== AT_WORK;
  // Whatever else is started in it takes that from it.
  const wasLeftover = previous?.agentSeen !== undefined;
  const isTaken = wasLeftover && reading.isUsedOtherwise && wasWaiting;
  const taken = isTaken ? 'something was started in it since its agent left' : undefined;
  const isCertain = isLeftover && shell && before && isReadSince(shell, before);
  const persons = previous?.entered ?? taken ?? (isCertain ? entered : undefined);
  if (persons !== undefined) pane.entered = persons;
  // The glance in the ledger never moves: it tells also after a close that was stopped, and where memory was lost.
  const isReadSinceWord = shell && word?.input && isReadSince(shell, word.input);
  const isOver = !isNewWord && previous?.word?.used !== undefined;
  const atClose = word?.isClosing && isReadSinceWord && !isOver ? ENTERED_SINCE_WORD : undefined;
  const told = entered ?? persons ?? atClose;
  if (told !== undefined) evidence.entered = told;
  if (told !== undefined || isReadSinceWord) return 'something was entered in it since, or may have been';
  const isStarted =
    reading.isUsedOtherwise && (wasWaiting || isNewProgram(reading, wasLeftover ? previous : undefined));
  return isStarted ? 'something was started in it since' : undefined;
}

const ENTERED_SINCE_WORD = 'something was entered in its shell since it was declared complete';

// Without a glance to compare with: what is younger than the word, or was not there when its agent was last seen.
function isNewProgram({ started, word }: PaneReading, withAgent: RememberedPane | undefined): boolean {
  if (!started || !word) return false;
  if (started.startedAt > word.at) return true;
  return withAgent !== undefined && !withAgent.processes.some((known) => isSameProcess(known, started));
}

function toCompare({ isWaiting, ...seen }: ShellGlance): RememberedInput {
  return isWaiting ? seen : { ...seen, turns: AT_WORK };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function isSamePane(reading: PaneReading, earlier: RememberedPane): boolean {
  return reading.pid === earlier.pid && (reading.startTicks === earlier.startTicks || reading.isDead);
}

/** What its processes used since that was judged last; null where something else in it changed. */
function useBetween(reading: PaneReading, previous: RememberedPane, elapsedMs: number): PaneUse | null {
  if (reading.isDead !== previous.isDead || reading.lastOutputAt !== previous.lastOutputAt) return null;
  return useSince(previous.used, reading.processes, previous.processes, elapsedMs);
}

// What the pane was started for counts at first sight only: once its leftover has found another use, it is a person's.
function agentIn(reading: PaneReading, previous: RememberedPane | undefined): string | undefined {
  if (reading.agent !== undefined) return reading.agent;
  if (reading.isUsedOtherwise) return undefined;
  return previous ? previous.agentSeen : reading.agentStarted;
}
