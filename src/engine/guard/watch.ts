import type { Guarded } from '../../core/guard/guarded.ts';
import type { Cause } from '../../core/guard/judge-guarded.ts';
import type { GuardNote } from '../../core/guard/notes.ts';
import type { PaneFate } from '../../core/guard/pane-fate.ts';
import type { LastScreen } from './screens.ts';

/** Time as a guard needs it. */
export interface GuardClock {
  /** Epoch ms. */
  at(): number;
  /** Ms on a clock that nobody sets. */
  elapsedMs(): number;
  /** Ends early, and without an error, when the signal does. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** One watch over one session or pane. */
export interface GuardWatch {
  readonly guarded: Guarded;
  /** Null: until something happens. */
  readonly budgetMs: number | null;
  /** The first proven answer ends it; the budget is only how long that may take. */
  readonly isOnce?: boolean;
  /** A wish to end. */
  readonly signal: AbortSignal;
  /** Something that is no death; each is told once. */
  onNote(note: GuardNote): void;
  /** A probe that could not tell; told when it begins, not again before one could. */
  onDoubt(text: string): void;
}

/** How a watch ended, and what was last known. */
export type GuardOutcome = {
  readonly observedAt: number;
  readonly watchedMs: number;
  /** The session's name as it was last seen. */
  readonly name: string;
  readonly panes: readonly (PaneFate & { readonly screen: LastScreen | null })[];
} & (
  | { readonly state: 'healthy' }
  | { readonly state: 'interrupted' }
  | { readonly state: 'ended'; readonly why: string }
  | { readonly state: 'died'; readonly why: string; readonly cause: Cause }
  | { readonly state: 'unknown'; readonly why: string }
);
