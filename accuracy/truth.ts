import type { Activity, WaitingFor } from '../src/core/verdict/verdict.ts';

/** What the driver knows of a session from one moment on, because it brought it about. */
export interface Truth {
  /** Names the row of the report. */
  readonly state: string;
  /** `gone`: the agent has ended. Null: nobody can say, a key was pressed whose effect has not shown yet. */
  readonly activity: 'working' | 'waiting' | 'idle' | 'gone' | null;
  readonly waitingFor?: WaitingFor;
  /** Activities that are right as well. */
  readonly also?: readonly Activity[];
  /** Closing would lose nothing: idle with an empty input, or gone. */
  readonly mayClose: boolean;
}

/** A truth and since when it holds. */
export interface Mark {
  readonly at: number;
  readonly truth: Truth;
}

/** A sample that is younger than this after a change says how fast, not how right. */
export const SETTLING_MS = 1000;

/** What was true of one session, told as it happens or shortly afterwards. */
export interface Timeline {
  mark(at: number, truth: Truth): void;
  marks(): readonly Mark[];
}

export function createTimeline(): Timeline {
  const marks: Mark[] = [];
  return {
    mark(at, truth) {
      marks.push({ at, truth });
      marks.sort((a, b) => a.at - b.at);
    },
    marks: () => marks,
  };
}

/** What held during a look, or null before the first mark and while it was changing. */
export function truthDuring(
  marks: readonly Mark[],
  from: number,
  to: number,
): { readonly mark: Mark; readonly isSettling: boolean } | null {
  const mark = marks.findLast(({ at }) => at <= from);
  if (!mark || mark.truth.activity === null) return null;
  const isCrossed = marks.some(({ at }) => at > from && at <= to);
  return { mark, isSettling: isCrossed || from - mark.at < SETTLING_MS };
}
