import type { Activity, WaitingFor } from '../verdict/verdict.ts';
import type { AgentSign } from './sign.ts';
import { SIGN_SOURCES } from './sign.ts';

/** What all signs of one agent together say. */
export interface Fused {
  readonly says: Extract<Activity, 'working' | 'waiting' | 'idle' | 'unknown'>;
  readonly waitingFor?: WaitingFor;
  /** Tasks that outlive the turn; null when no source would show them. */
  readonly backgroundTasks: number | null;
  readonly hasDraft: boolean | null;
  /** A ready prompt is seen; null when nothing shows it. */
  readonly isReady: boolean | null;
  /** The last turn ended in an error: it rests, and has not finished. */
  readonly hasFailed: boolean;
  /** When the last turn began that any source told the beginning of. */
  readonly beganAt?: number;
  /** The sign that decided, or the first of two that disagree. */
  readonly decisive: AgentSign;
  /** The other side of a disagreement. */
  readonly opposed?: AgentSign;
  /** What is missing for a firmer answer, in words. */
  readonly missing?: string;
}

/** A screen, title and status follow an event within this time; until then a difference is no disagreement. */
const SETTLING_MS = 1500;

/**
 * Lays the signs of one agent side by side. A sign of work beats any number of signs of rest; rest must be told by
 * sources that would have shown work. Sources that contradict each other make `unknown`, as does a fact that nothing
 * attests. The order of the signs means nothing.
 */
export function fuse(signs: readonly [AgentSign, ...AgentSign[]], now: number): Fused {
  const all = [...signs].sort(byRank) as [AgentSign, ...AgentSign[]];
  const [first] = all;
  const believed = all.filter((sign) => isBelieved(sign, all));
  const busy = backgroundOf(believed);
  const begun = all.flatMap(({ beganAt }) => beganAt ?? []);
  const common = {
    ...(begun.length > 0 && { beganAt: Math.max(...begun) }),
    backgroundTasks: busy?.background ?? null,
    hasDraft: anyOf(believed, (sign) => sign.hasDraft),
    isReady: anyOf(believed, (sign) => sign.isReady),
    hasFailed: believed.some((sign) => sign.waitingFor === 'error'),
  };
  const turn = turnOf(believed, now);
  const dialogs = believed.map(dialogsOnly);
  const dialog = dialogOf(dialogs, now);
  if (dialog?.opposed) return { ...common, says: 'unknown', ...dialog };
  if (dialog) {
    return { ...common, says: 'waiting', waitingFor: dialog.waitingFor, decisive: dialog.decisive };
  }
  if (!turn)
    return { ...common, says: 'unknown', decisive: first, missing: 'nothing tells whether its turn is over' };
  if (turn.opposed) return { ...common, says: 'unknown', ...turn };
  const { decisive } = turn;
  if (decisive.turn === 'running') return { ...common, ...heldUp(believed, decisive) };
  if (busy?.background) return { ...common, says: 'idle', decisive: busy };
  const missing = missingFor(dialogs, busy !== undefined);
  return missing === undefined
    ? { ...common, says: 'idle', decisive }
    : { ...common, says: 'unknown', decisive, missing };
}

// Of an agent version that was never tried, the screen alone proves no rest: something else must say that the turn is over.
function isBelieved(sign: AgentSign, all: readonly AgentSign[]): boolean {
  if (sign.isVerified || sign.source !== 'screen') return true;
  const { waitingFor = null } = dialogsOnly(sign);
  const isWork = sign.turn === 'running' || waitingFor !== null || (sign.background ?? 0) > 0;
  return isWork || all.some((other) => other.source !== 'screen' && other.turn === 'over');
}

const NO_DIALOGS: ReadonlySet<WaitingFor | null | undefined> = new Set(['error', 'retry', 'compaction']);

// Whoever shows that a turn ended in an error, or is held up, would have shown a dialog.
function dialogsOnly(sign: AgentSign): AgentSign {
  return NO_DIALOGS.has(sign.waitingFor) ? { ...sign, waitingFor: null } : sign;
}

// A turn that waits for the model or for its own summary is nobody's to help, but it does not work either.
function heldUp(
  signs: readonly AgentSign[],
  running: AgentSign,
): Pick<Fused, 'says' | 'waitingFor' | 'decisive'> {
  const isHeld = (sign: AgentSign) => sign.waitingFor === 'retry' || sign.waitingFor === 'compaction';
  const told = signs.filter((sign) => sign.waitingFor !== undefined);
  const last = latest(told.filter((sign) => !sign.isLive));
  const held = told.find((sign) => sign.isLive && isHeld(sign)) ?? (last && isHeld(last) ? last : undefined);
  return held?.waitingFor
    ? { says: 'waiting', waitingFor: held.waitingFor, decisive: held }
    : { says: 'working', decisive: running };
}

interface Outcome {
  readonly decisive: AgentSign;
  readonly opposed?: AgentSign;
}

function turnOf(signs: readonly AgentSign[], now: number): Outcome | null {
  const told = signs.filter((sign) => sign.turn !== undefined);
  const live = told.filter((sign) => sign.isLive);
  const running = live.find((sign) => sign.turn === 'running');
  const over = live.find((sign) => sign.turn === 'over');
  if (running) return over ? { decisive: running, opposed: over } : { decisive: running };
  const last = latest(told.filter((sign) => !sign.isLive));
  if (!last) return over ? { decisive: over } : null;
  if (!over || last.turn === 'over') return { decisive: over ?? last };
  // The last event tells of work, what is seen now of rest: one of them is behind.
  const sinceEvent = now - sinceOf(last);
  if (over.since !== undefined && over.since >= sinceOf(last)) return { decisive: over };
  return sinceEvent < SETTLING_MS ? { decisive: last } : { decisive: last, opposed: over };
}

// Nothing tells of the answer to a dialog but what is seen next: a live source that would show it takes it back.
function dialogOf(
  signs: readonly AgentSign[],
  now: number,
): (Outcome & { readonly waitingFor: WaitingFor }) | null {
  const told = signs.filter((sign) => sign.waitingFor !== undefined);
  const live = told.filter((sign) => sign.isLive);
  const shown = live.find((sign) => sign.waitingFor !== null);
  const none = live.find((sign) => sign.waitingFor === null);
  if (shown) {
    const outcome = { decisive: shown, waitingFor: preciseOf(told, shown) };
    return none ? { ...outcome, opposed: none } : outcome;
  }
  const last = latest(told.filter((sign) => !sign.isLive));
  if (!last || last.waitingFor === null || last.waitingFor === undefined) return null;
  const isTakenBack = none !== undefined || signs.some((sign) => sign.isLive && sign.turn === 'running');
  const isSettling = now - sinceOf(last) < SETTLING_MS;
  return isTakenBack && !isSettling ? null : { decisive: last, waitingFor: last.waitingFor };
}

// A title, or the word `input`, tells only that someone is asked; what for, a hook or the screen tells.
function preciseOf(told: readonly AgentSign[], shown: AgentSign): WaitingFor {
  const own = shown.waitingFor as WaitingFor;
  if (shown.source !== 'title' && own !== 'input') return own;
  const others = told.filter((sign) => sign !== shown && (sign.waitingFor ?? null) !== null);
  const precise = others.find((sign) => sign.isLive) ?? latest(others);
  return precise?.waitingFor ?? own;
}

/** The sign that tells most of what runs now; where none shows it, the last that told of it. */
function backgroundOf(signs: readonly AgentSign[]): AgentSign | undefined {
  const told = signs.filter((sign) => sign.background !== undefined);
  const most = firstBy(
    told.filter((sign) => sign.isLive),
    (a, b) => (b.background as number) - (a.background as number),
  );
  return most ?? latest(told);
}

function missingFor(signs: readonly AgentSign[], isBackgroundSeen: boolean): string | undefined {
  if (!isBackgroundSeen) return 'nothing tells whether it left something running in the background';
  const isDialogSeen = signs.some((sign) => sign.isLive && sign.waitingFor === null);
  return isDialogSeen ? undefined : 'nothing tells whether a dialog is open';
}

function anyOf(signs: readonly AgentSign[], of: (sign: AgentSign) => boolean | undefined): boolean | null {
  const told = signs.map(of).filter((value) => value !== undefined);
  return told.length === 0 ? null : told.includes(true);
}

// Of two events at the same moment the one that tells of work counts.
function latest(signs: readonly AgentSign[]): AgentSign | undefined {
  return firstBy(signs, (a, b) => sinceOf(b) - sinceOf(a) || workFirst(a) - workFirst(b));
}

function firstBy(
  signs: readonly AgentSign[],
  compare: (a: AgentSign, b: AgentSign) => number,
): AgentSign | undefined {
  let [first] = signs;
  for (const sign of signs) if (first !== undefined && compare(sign, first) < 0) first = sign;
  return first;
}

function workFirst(sign: AgentSign): number {
  return sign.turn === 'running' || (sign.waitingFor ?? null) !== null ? 0 : 1;
}

function sinceOf(sign: AgentSign): number {
  return sign.since ?? sign.observedAt;
}

function byRank(a: AgentSign, b: AgentSign): number {
  if (a.source !== b.source) return SIGN_SOURCES.indexOf(a.source) - SIGN_SOURCES.indexOf(b.source);
  return sinceOf(b) - sinceOf(a) || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
}
