import { spoken } from '../text/duration.ts';
import type { Moment } from '../text/moment.ts';
import { type JudgedSignal, judgeSignal, lostTracks, type Past } from './judge-signal.ts';
import { type PressureMemory, type Track, usableMemory } from './memory.ts';
import type { PressurePolicy } from './policy.ts';
import { inOrder, type Reading } from './reading.ts';
import { calledFor, step, type TierStanding } from './standing.ts';
import { calmer, isAtLeast, PRESSING, type Pressing, type Tier, worstOf } from './tier.ts';
import { comparisonOf } from './words.ts';

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

/**
 * Judges readings of one moment; gives the memory that the next judgement builds on. A tier rises once a signal has held for its time; it falls one step once nothing keeps
 * it up any more, later and at a distance from the threshold. All times are awake time, so neither suspend nor a stepped
 * clock counts. The order of the readings means nothing.
 */
export function judgePressure(
  readings: readonly Reading[],
  stored: PressureMemory | null,
  policy: PressurePolicy,
  { now, bootId }: { readonly now: Moment; readonly bootId: string },
): { readonly pressure: Pressure; readonly memory: PressureMemory } {
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
function nextTier(signals: readonly JudgedSignal[], standing: TierStanding, past: Past): NextTier | null {
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

/** Why a tier is what it is. Codes are stable once released. */
export interface PressureReason {
  readonly code:
    | 'below-thresholds'
    | 'not-held-yet'
    | 'no-signal'
    | 'threshold-held'
    | 'not-released'
    | 'signal-lost'
    | 'calming';
  readonly text: string;
  /** The signal that decides; null where none does. */
  readonly signal: string | null;
  readonly value: number | null;
  readonly threshold: number | null;
  /** For how long it has held, awake time; null where that does not matter. */
  readonly heldMs: number | null;
}

type Lost = readonly (readonly [string, Track])[];

/** The one reason for a tier: the signal that decides, its value and its threshold. */
export function explainTier(
  signals: readonly JudgedSignal[],
  lost: Lost,
  standing: TierStanding,
  past: Past,
): PressureReason {
  const { tier } = standing;
  if (tier === 'normal') return explainNormal(signals);
  const [keeping] = signals
    .filter(({ reached, keeps }) => reached !== null && isAtLeast(keeps, tier))
    .toSorted((a, b) => heldFor(b, tier) - heldFor(a, tier));
  if (keeping !== undefined) return explainKeeping(keeping, tier);
  const silent = silentKey(signals, lost, tier);
  if (silent !== null) {
    const text = `${tier} by what was last read: ${silent} cannot be read now`;
    return { code: 'signal-lost', text, signal: silent, ...NO_NUMBERS };
  }
  // Nothing keeps it up, so it is calm.
  const calmMs = past.awakeMs - Number(standing.calmSinceAwakeMs ?? past.awakeMs);
  const text = `nothing keeps it ${tier} any more, for ${spoken(calmMs)}; a tier falls only after a while`;
  return { code: 'calming', text, signal: null, ...NO_NUMBERS };
}

const NO_NUMBERS = { value: null, threshold: null, heldMs: null } as const;

function explainNormal(signals: readonly JudgedSignal[]): PressureReason {
  const judged = signals.filter(({ reached }) => reached !== null);
  if (judged.length === 0) {
    const text = 'nothing that tells about memory pressure can be read here, so nothing is called pressure';
    return { code: 'no-signal', text, signal: null, ...NO_NUMBERS };
  }
  const tierOf = ({ reached }: JudgedSignal): Pressing => (reached === 'critical' ? 'critical' : 'moderate');
  const [rising] = judged
    .filter(({ reached }) => reached !== 'normal')
    .toSorted((a, b) => Number(tierOf(b) === 'critical') - Number(tierOf(a) === 'critical'));
  if (rising === undefined) {
    const text = 'every signal that could be read is on the calm side of its threshold';
    return { code: 'below-thresholds', text, signal: null, ...NO_NUMBERS };
  }
  const numbers = numbersOf(rising, tierOf(rising));
  const text = `${comparisonOf(rising, tierOf(rising))}; but it has not held long enough`;
  return { code: 'not-held-yet', text, ...numbers };
}

function explainKeeping(judged: JudgedSignal, tier: Pressing): PressureReason {
  const numbers = numbersOf(judged, tier);
  const words = comparisonOf(judged, tier);
  if (numbers.heldMs === null)
    return { code: 'not-released', text: `${words}; it is still near`, ...numbers };
  const isEvent = numbers.heldMs === Number.POSITIVE_INFINITY;
  const text = isEvent ? words : `${words}; held for ${spoken(numbers.heldMs)}`;
  return { code: 'threshold-held', text, ...numbers, heldMs: isEvent ? null : numbers.heldMs };
}

function numbersOf({ key, compared, thresholds, heldMs }: JudgedSignal, tier: Pressing) {
  return { signal: key, value: compared, threshold: Number(thresholds?.[tier]), heldMs: heldMs[tier] };
}

function heldFor({ heldMs }: JudgedSignal, tier: Pressing): number {
  return heldMs[tier] ?? -1;
}

function silentKey(signals: readonly JudgedSignal[], lost: Lost, tier: Pressing): string | null {
  const silent = signals.find(({ reached, keeps }) => reached === null && isAtLeast(keeps, tier));
  return silent?.key ?? lost.find(([, { keeps }]) => isAtLeast(keeps, tier))?.[0] ?? null;
}
