import type { CloseWish, Refusal } from '../../../core/close/decide.ts';
import type { Receipt, RungReport } from '../../../core/close/receipt.ts';
import type { LockSighting } from '../../../core/lock/sighting.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { Blocker } from '../../../core/verdict/verdict.ts';
import { awake, type Hands } from '../hands.ts';

/** A session that is to be closed. */
export interface CloseOrder {
  readonly entry: SessionEntry;
  readonly wish: CloseWish;
  readonly reason: string | null;
  readonly argv: readonly string[];
  readonly timings: CloseTimings;
  /** The processes that somebody was shown as to be ended, by their keys; no other is. Absent: all that the decision saw. */
  readonly shown?: ReadonlySet<string>;
  onProgress(progress: CloseProgress): void;
}

/**
 * What became of it. `closed` and `gone` leave a receipt; after all others the session is as it was left. Where an agent was
 * ended on the way there is a receipt for it (`partial`).
 */
export type CloseResult =
  | { readonly state: 'closed' | 'gone' | 'asleep'; readonly receipt: Receipt }
  /** It sleeps already; `text`: since when. */
  | { readonly state: 'already-asleep'; readonly receipt: string; readonly text: string }
  /** `text`: since when. */
  | { readonly state: 'already-closed'; readonly receipt: string; readonly text: string }
  | Refusal
  | { readonly state: 'already-closing'; readonly by: LockSighting }
  /** The time was over: before it was seen at rest for long enough (`blockers`), or on the way. */
  | (Stopped & { readonly state: 'timed-out'; readonly blockers: readonly Blocker[] })
  /** Nobody closed it, and it is not there. */
  | { readonly state: 'vanished' }
  /** Something was done that could not be recorded; the next command records it. */
  | {
      readonly state: 'unrecorded';
      readonly isGone: boolean;
      readonly text: string;
      readonly hint: string;
      readonly rungs: readonly RungReport[];
    }
  /** `aborted`: something changed on the way. `failed`: a rung did not do what it should. */
  | (Stopped & { readonly state: 'aborted' | 'failed'; readonly hint: string | null });

/** A close that stopped before its session was gone. */
export interface Stopped {
  readonly text: string;
  readonly rungs: readonly RungReport[];
  readonly receipt?: Receipt | null;
}

/** How long a close waits, and for what. */
export interface CloseTimings {
  /** For all of it; then it gives up. Null: for as long as its steps take. */
  readonly wholeMs: number | null;
  /** For the verdict to be confirmed, before anything is done. */
  readonly decideMs: number;
  /** Between two looks meanwhile. */
  readonly lookEveryMs: number;
  /** For typed text to be seen. */
  readonly typedMs: number;
  /** For an agent to leave when it was asked. */
  readonly askMs: number;
  /** For processes to end on SIGTERM. */
  readonly terminateMs: number;
  /** For processes to end on SIGKILL. */
  readonly killMs: number;
  /** For what the exit itself started to end by itself; it is told, never ended. */
  readonly lateMs: number;
  /** For tmux and the shell behind an agent to come to rest after something ended. */
  readonly settleMs: number;
  /** Between two readings of the process table. */
  readonly pollMs: number;
}

/** Agents flush their conversations on the way out; a loaded machine takes its time. */
export const CLOSE_TIMINGS: CloseTimings = {
  wholeMs: null,
  decideMs: 60_000,
  lookEveryMs: 1000,
  typedMs: 2000,
  askMs: 15_000,
  terminateMs: 10_000,
  killMs: 5000,
  lateMs: 5000,
  settleMs: 3000,
  pollMs: 50,
};

/** The same, given up after so long. No wait becomes shorter by it: less patience must not mean a harsher step. */
export function boundedTimings(timings: CloseTimings, mostMs: number): CloseTimings {
  return { ...timings, decideMs: mostMs, wholeMs: mostMs };
}

/** How much time a close has left. */
export interface TimeLeft {
  isOver(): boolean;
  /** So long, or as long as there is time. */
  within(ms: number): number;
}

export function patienceOf(hands: Pick<Hands, 'moment'>, { wholeMs }: CloseTimings): TimeLeft {
  const now = () => awake(hands);
  const endsAt = wholeMs === null ? Infinity : now() + wholeMs;
  return { isOver: () => now() >= endsAt, within: (ms) => Math.max(0, Math.min(ms, endsAt - now())) };
}

/** Nothing was done yet when the time was over. */
export function tooLate(): CloseResult {
  return { state: 'timed-out', text: 'the time was over before anything was done', blockers: [], rungs: [] };
}

/** Its verdict did not come within the time. */
export function notSeenAtRest(blockers: readonly Blocker[]): CloseResult {
  return { state: 'timed-out', text: 'it was not seen at rest for long enough', blockers, rungs: [] };
}

/** Why nothing is done to it. */
export function refusal(
  { blockers, protections }: Pick<SessionEntry, 'blockers' | 'protections'>,
  text: string,
  hint: string,
  code: Refusal['code'] = 'not-safe',
): Refusal {
  return { state: 'refused', code, text, blockers, protections, hint };
}

/** How a close goes on, for whoever watches. */
export type CloseProgress = { readonly name: string } & (
  | { readonly state: 'waits'; readonly text: string }
  | { readonly state: 'begins'; readonly rung: RungReport['rung'] }
  | { readonly state: 'over'; readonly report: RungReport }
);

/** Keeps what came of each rung, and tells it. */
export interface Rungs {
  readonly reports: readonly RungReport[];
  begin(rung: RungReport['rung']): (result: RungReport['result'], text: string) => void;
}

export function rungsOf({ now }: Pick<Hands, 'now'>, order: Pick<CloseOrder, 'entry' | 'onProgress'>): Rungs {
  const reports: RungReport[] = [];
  const { name } = order.entry;
  return {
    reports,
    begin(rung) {
      const startedAt = now();
      order.onProgress({ name, state: 'begins', rung });
      return (result, text) => {
        const report = { rung, startedAt, endedAt: now(), result, text };
        reports.push(report);
        order.onProgress({ name, state: 'over', report });
      };
    },
  };
}
