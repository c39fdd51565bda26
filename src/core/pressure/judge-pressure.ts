import type { Moment } from '../text/moment.ts';
import { explainTier, type PressureReason } from './explain-tier.ts';
import { type JudgedSignal, judgeSignal, lostTracks, type Past } from './judge-signal.ts';
import { type PressureMemory, usableMemory } from './memory.ts';
import type { PressurePolicy } from './policy.ts';
import { inOrder, type Reading } from './reading.ts';
import { calledFor, type Standing, step } from './standing.ts';
import { calmer, isAtLeast, PRESSING, type Tier, worstOf } from './tier.ts';

/** How short of memory the machine is, why, and by what signals. */
export interface Pressure {
  readonly tier: Tier;
  /** Epoch ms; of a first look, that look. */
  readonly since: number;
  /** No earlier look could be built on: only what carries its own duration was judged. */
  readonly isFirstLook: boolean;
  readonly reason: PressureReason;
  /** What it will be if everything stays as it is. */
  readonly next: NextTier | null;
  readonly signals: readonly JudgedSignal[];
}

/** A judgement, and what the next one builds on. */
export interface JudgedPressure {
  readonly pressure: Pressure;
  readonly memory: PressureMemory;
}

/**
 * Judges readings of one moment. A tier rises once a signal has held for its time; it falls one step once nothing keeps
 * it up any more, later and at a distance from the threshold. All times are awake time, so neither suspend nor a stepped
 * clock counts. The order of the readings means nothing.
 */
export function judgePressure(
  readings: readonly Reading[],
  stored: PressureMemory | null,
  policy: PressurePolicy,
  { now, bootId }: { readonly now: Moment; readonly bootId: string },
): JudgedPressure {
  const { awakeMs, at } = now;
  const memory = usableMemory(stored, bootId, now, policy.rememberMs);
  const hasSystemWord = readings.some(({ signal, state }) => signal === 'os-level' && state === 'read');
  const past: Past = { memory, awakeMs, policy, hasSystemWord };
  const signals = inOrder(readings).map((reading) => judgeSignal(reading, past));
  const lost = lostTracks(new Set(signals.map(({ key }) => key)), past);
  const kept = worstOf([...signals.map(({ keeps }) => keeps), ...lost.map(([, track]) => track.keeps)]);
  const standing = step(calledFor(signals, policy), kept, past);
  const sinceAt = memory?.tier === standing.tier ? memory.sinceAt : at;
  const tracks = signals.flatMap(({ key, track }) => (track === null ? [] : [[key, track] as const]));
  return {
    pressure: {
      tier: standing.tier,
      since: sinceAt,
      isFirstLook: memory === null,
      reason: explainTier(signals, lost, standing, past),
      next: nextTier(signals, standing, past),
      signals,
    },
    memory: {
      format: 1,
      bootId,
      awakeMs,
      ...standing,
      sinceAt,
      tracks: Object.fromEntries([...lost, ...tracks]),
    },
  };
}

/** A tier that comes if everything stays as it is. */
interface NextTier {
  readonly tier: Tier;
  /** Awake time until then. */
  readonly inMs: number;
  /** The signal that calls for it; null where it is the calm. */
  readonly signal: string | null;
}

/** What comes next: the soonest of the tiers that signals call for, or the fall that a calm leads to. */
function nextTier(signals: readonly JudgedSignal[], standing: Standing, past: Past): NextTier | null {
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
