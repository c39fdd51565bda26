import type { ReapOutcome } from '../../core/reaper/after-close.ts';
import type { ReapAction } from '../../core/reaper/conclude.ts';
import type { Reaped } from '../../core/reaper/standing.ts';
import type { ReapScene } from '../../core/reaper/watch-round.ts';
import { outcomeOfError } from './outcome.ts';
import type { ReaperParts } from './parts.ts';
import { reap, reapedBy } from './reap.ts';

/** A close that goes on while others are looked at: it may take a minute, and somebody may die meanwhile. */
export interface Closing {
  readonly reaped: Reaped;
  readonly scene: ReapScene;
  /** Null until it has ended. */
  outcome(): ReapOutcome | null;
  /** Settles when it has ended, however. */
  readonly over: Promise<unknown>;
}

export function beginClose(
  parts: ReaperParts,
  action: Extract<ReapAction, { kind: 'close' }>,
  scene: ReapScene,
): Closing {
  let outcome: ReapOutcome | null = null;
  // Free since this round began: rounds come one after the other.
  const release = parts.turn?.take();
  // Nobody waits for it: what it throws would end the daemon instead of tripping the breaker.
  const over = reap(parts, action, scene.tier)
    .catch(outcomeOfError)
    .then((ended) => {
      outcome = ended;
      release?.();
    });
  return { reaped: reapedBy(action), scene, outcome: () => outcome, over };
}
