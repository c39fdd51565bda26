import type { Breaker, ReapMode } from '../../core/reaper/standing.ts';
import type { ReapModes } from '../../ports/reaper.ts';

/** What the reaper may do now. */
export interface EffectiveMode {
  readonly mode: ReapMode;
  readonly wanted: ReapMode;
  readonly breaker: Breaker | null;
  readonly problem: string | null;
}

/** The mode as it is kept, and a breaker that holds even where it could not be kept. */
export function createModeWatch(modes: ReapModes) {
  let tripped: { readonly breaker: Breaker; readonly stamp: string } | null = null;
  return {
    read(): EffectiveMode {
      const { mode: wanted, stamp, problem, ...kept } = modes.read();
      // Whoever set the mode since then has reset it.
      const breaker = tripped?.stamp === stamp ? tripped.breaker : kept.breaker;
      const mode = wanted === 'enforce' && breaker !== null ? 'shadow' : wanted;
      return { mode, wanted, breaker, problem };
    },
    trip(breaker: Breaker): void {
      tripped = { breaker, stamp: modes.read().stamp };
      modes.trip(breaker);
    },
  };
}
