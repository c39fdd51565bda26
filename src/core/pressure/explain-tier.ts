import { spoken } from '../text/duration.ts';
import type { JudgedSignal, Past } from './judge-signal.ts';
import type { Track } from './memory.ts';
import type { Standing } from './standing.ts';
import { isAtLeast, type Pressing } from './tier.ts';
import { comparisonOf } from './words.ts';

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
  standing: Standing,
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
