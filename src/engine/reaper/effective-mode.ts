import type { Breaker, ReapMode } from '../../core/reaper/standing.ts';
import type { ReapModeSetting, ReapModes } from '../../ports/reaper.ts';

/** What the reaper may do now. */
export interface EffectiveMode {
  readonly mode: ReapMode;
  readonly wanted: ReapMode;
  readonly breaker: Breaker | null;
  readonly problem: string | null;
}

/** The mode as it is kept, and a breaker that holds even where it could not be kept. */
export interface ModeWatch {
  read(): EffectiveMode;
  trip(breaker: Breaker): void;
}

export function createModeWatch(modes: ReapModes): ModeWatch {
  let tripped: { readonly breaker: Breaker; readonly stamp: string } | null = null;
  const breakerIn = ({ breaker, stamp }: ReapModeSetting) =>
    // Whoever set the mode since then has reset it.
    tripped?.stamp === stamp ? tripped.breaker : breaker;
  return {
    read() {
      const kept = modes.read();
      const breaker = breakerIn(kept);
      const mode = kept.mode === 'enforce' && breaker !== null ? 'shadow' : kept.mode;
      return { mode, wanted: kept.mode, breaker, problem: kept.problem };
    },
    trip(breaker) {
      tripped = { breaker, stamp: modes.read().stamp };
      modes.trip(breaker);
    },
  };
}
