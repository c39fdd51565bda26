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
