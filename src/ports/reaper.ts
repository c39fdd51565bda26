import type { ReapMode } from '../core/reaper/mode.ts';
import type { Breaker, ReapBudget } from '../core/reaper/standing.ts';

export interface ReapModeSetting {
  readonly mode: ReapMode;
  readonly breaker: Breaker | null;
  /** Changes whenever somebody sets the mode. */
  readonly stamp: string;
  /** Why it could not be read; the mode is shadow then, whatever was asked for. */
  readonly problem: string | null;
}

/** Keeps the mode and the breaker. */
export interface ReapModes {
  read(): ReapModeSetting;
  /** Sets the mode and resets the breaker; a problem in words, or null. */
  set(mode: ReapMode): string | null;
  /** Keeps the mode and holds it down to shadow; a problem in words, or null. */
  trip(breaker: Breaker): string | null;
}

export type ReapSlot =
  | {
      readonly state: 'taken';
      /** It was used, and the time until the next begins now; or nothing was done, and it is given back. */
      settle(isUsed: boolean): void;
    }
  /** Another close is under way, or has just ended. */
  | { readonly state: 'settling' }
  | { readonly state: 'used-up'; readonly text: string }
  | { readonly state: 'refused'; readonly text: string };

/** The closes of the last hour, shared by all rollcalls of this user on this host. */
export interface ReapBudgets {
  read(): ReapBudget;
  /** Takes one for a session. Of many who ask at once no more get one than the hour allows. */
  take(key: string): ReapSlot;
}
