import type { JudgedSignal, Past } from './judge-signal.ts';
import type { PressurePolicy } from './policy.ts';
import { calmer, isAtLeast, PRESSING, type Tier } from './tier.ts';

/** The tier on its way, before it is put into words. */
export interface TierStanding {
  readonly tier: Tier;
  readonly changedAwakeMs: number | null;
  readonly calmSinceAwakeMs: number | null;
}

/** The worst tier for which a signal has held long enough. */
export function calledFor(signals: readonly JudgedSignal[], { riseAfterMs }: PressurePolicy): Tier {
  const held = PRESSING.filter((tier) =>
    signals.some(({ heldMs }) => (heldMs[tier] ?? -1) >= riseAfterMs[tier]),
  );
  return held.at(-1) ?? 'normal';
}

/** One step of the tier: up at once where it is called for, down only after a calm and not soon after a change. */
export function step(called: Tier, kept: Tier, { memory, awakeMs, policy }: Past): TierStanding {
  const tier = memory?.tier ?? 'normal';
  const changedAwakeMs = memory?.changedAwakeMs ?? null;
  if (!isAtLeast(tier, called)) return { tier: called, changedAwakeMs: awakeMs, calmSinceAwakeMs: null };
  if (tier === 'normal' || isAtLeast(kept, tier)) return { tier, changedAwakeMs, calmSinceAwakeMs: null };
  const calmSinceAwakeMs = memory?.calmSinceAwakeMs ?? awakeMs;
  const isCalm = awakeMs - calmSinceAwakeMs >= policy.fallAfterMs;
  // A tier that is no longer normal has changed at some time.
  const isSettled = awakeMs - Number(changedAwakeMs) >= policy.transitionMs;
  if (!isCalm || !isSettled) return { tier, changedAwakeMs, calmSinceAwakeMs };
  return { tier: calmer(tier), changedAwakeMs: awakeMs, calmSinceAwakeMs: null };
}
