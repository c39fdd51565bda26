import type { WatchState } from './state.ts';

/** How many rows each part of the roll page gets; they add up to the rows of the screen. */
export interface Regions {
  readonly title: number;
  readonly space: number;
  readonly header: number;
  readonly body: number;
  readonly detail: number;
  readonly problems: number;
  readonly status: number;
}

const MOST_PROBLEMS = 2;

/** Shares out the rows. On a low screen the sessions come first, and what helps to read them goes step by step. */
export function regions({ rows, roll }: Pick<WatchState, 'rows' | 'roll'>): Regions {
  const fixed = {
    title: rows >= 3 ? 1 : 0,
    space: rows >= 10 ? 1 : 0,
    header: rows >= 5 ? 1 : 0,
    detail: detailRows(rows),
    problems: rows >= 10 ? Math.min(MOST_PROBLEMS, roll?.problems.length ?? 0) : 0,
    status: rows >= 2 ? 1 : 0,
  };
  const used = Object.values(fixed).reduce((sum, amount) => sum + amount, 0);
  return { ...fixed, body: Math.max(0, rows - used) };
}

/** Rows for sessions, or for the text of a page. */
export function bodyRows(state: Pick<WatchState, 'rows' | 'roll'>): number {
  return regions(state).body;
}

/** Rows of text on a page with nothing but a title and a status line. */
export function pageRows({ rows }: Pick<WatchState, 'rows'>): number {
  return Math.max(0, rows - (rows >= 3 ? 1 : 0) - (rows >= 2 ? 1 : 0));
}

function detailRows(rows: number): number {
  if (rows < 12) return 0;
  return rows < 16 ? 3 : 4;
}
