import type { JudgedSignal, Past } from './judge-signal.ts';
import type { Standing } from './standing.ts';
import { calmer, isAtLeast, PRESSING, type Tier } from './tier.ts';

/** A tier that comes if everything stays as it is. */
export interface NextTier {
  readonly tier: Tier;
  /** Awake time until then. */
  readonly inMs: number;
  /** The signal that calls for it; null where it is the calm. */
  readonly signal: string | null;
}

/** What comes next: the soonest of the tiers that signals call for, or the fall that a calm leads to. */
export function nextTier(signals: readonly JudgedSignal[], standing: Standing, past: Past): NextTier | null {
  const { tier, calmSinceAwakeMs, changedAwakeMs } = standing;
  const rises = PRESSING.filter((target) => !isAtLeast(tier, target)).flatMap((target) =>
    signals.flatMap(({ key, heldMs }) => {
      const held = heldMs[target];
      const inMs = past.policy.riseAfterMs[target] - (held ?? 0);
      return held === null ? [] : [{ tier: target, inMs, signal: key }];
    }),
  );
  const [rise] = rises.toSorted((a, b) => a.inMs - b.inMs);
  if (rise !== undefined) return rise;
  if (tier === 'normal' || calmSinceAwakeMs === null) return null;
  const dueMs = Math.max(
    calmSinceAwakeMs + past.policy.fallAfterMs,
    Number(changedAwakeMs) + past.policy.transitionMs,
  );
  return { tier: calmer(tier), inMs: dueMs - past.awakeMs, signal: null };
}
