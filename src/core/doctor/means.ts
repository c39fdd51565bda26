import type { ReapMode } from '../reaper/mode.ts';
import type { Breaker } from '../reaper/standing.ts';

/** A program that rollcall runs to look. */
export interface ProgramSighting {
  readonly name: 'tmux' | 'git';
  readonly isFound: boolean;
  /** Where it was looked for. */
  readonly path: string;
}

/** What the reaper may do, as it is kept. */
export interface ReaperSighting {
  readonly mode: ReapMode;
  readonly breaker: Breaker | null;
  /** Why it could not be read. */
  readonly problem: string | null;
}
