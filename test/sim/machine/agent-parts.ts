import type { WaitingFor } from '../../../src/core/verdict/verdict.ts';
import type { Reaction } from './process.ts';

/** What an agent really does. */
export interface AgentTruth {
  turn: 'running' | 'over';
  /** When the last turn began, by the clock of the story; null before the first. */
  turnBeganMs: number | null;
  dialog: WaitingFor | null;
  draft: string;
  /** Tasks that outlive the turn. */
  background: number;
  conversation: string | null;
  /** It has begun and shows no prompt yet. */
  isStarting: boolean;
}

/** What an agent last told of itself, which follows the truth as late as `lags` says, or not at all. */
export interface AgentWord {
  readonly turn: 'running' | 'over';
  readonly dialog: WaitingFor | null;
  readonly background: number;
  readonly sinceAt: number;
  /** By the clock of the story. */
  readonly sinceMs: number;
}

/** How it takes being asked to end. */
export interface Leaving {
  /** Its exit command: it leaves after so long, asks whether it shall, or does nothing. */
  exit: { readonly afterMs: number } | 'asks' | 'ignored';
  term: Reaction;
  hangup: Reaction;
  /** What it leaves running when it goes, in a session of its own. */
  child: readonly string[] | null;
}
