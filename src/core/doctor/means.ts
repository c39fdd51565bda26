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

/** A conversation of a receipt that nobody has any more: its agent deleted it, and its copy went to make room. */
export interface LostConversation {
  readonly receipt: string;
  readonly agent: string;
  readonly removedAt: number;
  /** Where its agent kept it. */
  readonly path: string;
}

/** What the copies of conversations take. */
export interface ConversationsSighting {
  readonly count: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly lost: readonly LostConversation[];
}
