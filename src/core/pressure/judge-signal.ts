import type { PressureMemory, Track } from './memory.ts';
import type { PressurePolicy } from './policy.ts';
import { keyOf, type Reading } from './reading.ts';
import { isAtLeast, PRESSING, type Pressing, type Tier } from './tier.ts';

/** One signal with what it means. */
export interface JudgedSignal {
  readonly key: string;
  readonly reading: Reading;
  /** Null where it is not judged. */
  readonly thresholds: Thresholds | null;
  /** What is compared with the thresholds: of a counter, how much it grew since the last look. */
  readonly compared: number | null;
  /** The worst tier whose threshold is reached now; null where nothing was read or judged. */
  readonly reached: Tier | null;
  /** The worst tier that it keeps up, by what was last known where it cannot be read. */
  readonly keeps: Tier;
  /** For how long each threshold has been reached, awake time; null where it is not. */
  readonly heldMs: { readonly [T in Pressing]: number | null };
  /** What the next look needs of it. */
  readonly track: Track | null;
}

/** What a look knows besides its readings. */
export interface Past {
  readonly memory: PressureMemory | null;
  readonly awakeMs: number;
  readonly policy: PressurePolicy;
  /** The system says itself how it is: then its free pages are only shown. */
  readonly hasSystemWord: boolean;
}

const NOT_HELD = { moderate: null, critical: null } as const;

/** Judges one reading by itself. What cannot be read raises nothing, and keeps what it kept for a while. */
export function judgeSignal(reading: Reading, past: Past): JudgedSignal {
  const key = keyOf(reading);
  const earlier = past.memory?.tracks[key];
  const thresholds = isJudged(reading, past) ? thresholdsOf(reading, past.policy) : null;
  if (reading.state === 'read' && thresholds !== null) return judgeRead(reading, thresholds, earlier, past);
  const silent = { key, reading, thresholds: null, compared: null, reached: null, heldMs: NOT_HELD };
  const isKnown = reading.state !== 'read' && earlier !== undefined && isRecent(earlier, past);
  // What broke off has not held: it starts anew when it can be read again.
  const track = isKnown ? { ...earlier, since: NOT_HELD } : null;
  return { ...silent, keeps: track?.keeps ?? 'normal', track };
}

/** Signals of an earlier look that nobody asked for now, as when a cgroup went away with its server. */
export function lostTracks(keys: ReadonlySet<string>, past: Past): [string, Track][] {
  return Object.entries(past.memory?.tracks ?? {})
    .filter(([key, track]) => !keys.has(key) && isRecent(track, past))
    .map(([key, track]) => [key, { ...track, since: NOT_HELD }]);
}

function isJudged(reading: Reading, past: Past): reading is Read {
  return reading.state === 'read' && !(reading.signal === 'available' && past.hasSystemWord);
}

function isRecent({ readAwakeMs }: Track, { awakeMs, policy }: Past): boolean {
  return awakeMs - readAwakeMs <= policy.rememberMs;
}

function judgeRead(
  reading: Read,
  thresholds: Thresholds,
  earlier: Track | undefined,
  past: Past,
): JudgedSignal {
  const isCounter = reading.signal === 'oom';
  // A count that is new or fell (a cgroup made anew) is where counting begins.
  const compared = isCounter ? Math.max(0, reading.value - (earlier?.count ?? reading.value)) : reading.value;
  const reached = reachedTier(compared, thresholds);
  const since = (tier: Pressing) => {
    if (!isAtLeast(reached, tier)) return null;
    return continued(reading, thresholds[tier], earlier?.since[tier] ?? null, past) ?? past.awakeMs;
  };
  const sinces = { moderate: since('moderate'), critical: since('critical') };
  const held = (tier: Pressing) => {
    const begun = sinces[tier];
    if (begun === null) return null;
    // What was counted has happened: it need not happen for a while.
    if (isCounter) return Number.POSITIVE_INFINITY;
    return Math.max(past.awakeMs - begun, provenMs(reading, thresholds[tier]));
  };
  const keeps = keptTier(compared, thresholds, past.policy.releasePercent);
  return {
    key: keyOf(reading),
    reading,
    ...{ thresholds, compared, reached, keeps },
    heldMs: { moderate: held('moderate'), critical: held('critical') },
    track: { readAwakeMs: past.awakeMs, keeps, since: sinces, ...(isCounter && { count: reading.value }) },
  };
}

// A stall may come and go between two looks, so only its own averages bridge a long gap; memory that is available moves
// slowly enough for two looks to speak for the time between them.
function continued(reading: Read, threshold: number, begun: number | null, past: Past): number | null {
  if (begun === null || past.memory === null) return null;
  const gapMs = past.awakeMs - past.memory.awakeMs;
  const bridgedMs =
    reading.averages === undefined
      ? past.policy.rememberMs
      : Math.max(past.policy.freshMs, provenMs(reading, threshold));
  return gapMs <= bridgedMs ? begun : null;
}

/** Where pressure begins for one reading, in its own unit. */
export interface Thresholds {
  readonly moderate: number;
  readonly critical: number;
  /** Less is worse. */
  readonly isLowBad: boolean;
}

export type Read = Extract<Reading, { state: 'read' }>;

/** The thresholds of a reading; null where it is only shown. */
export function thresholdsOf(reading: Read, policy: PressurePolicy): Thresholds | null {
  const { signal, totalBytes = 0 } = reading;
  switch (signal) {
    case 'stall-some':
      return { ...policy.stallSomePercent, isLowBad: false };
    case 'stall-full':
      return { ...policy.stallFullPercent, isLowBad: false };
    case 'available': {
      const bytes = (tier: Pressing) =>
        Math.min((totalBytes * policy.availablePercent[tier]) / 100, policy.availableBytes[tier]);
      return { moderate: bytes('moderate'), critical: bytes('critical'), isLowBad: true };
    }
    case 'oom':
      return { moderate: 1, critical: 1, isLowBad: false };
    case 'os-level':
      return { ...SYSTEM_LEVELS, isLowBad: false };
    case 'swap':
      return null;
  }
}

// kern.memorystatus_vm_pressure_level of macOS: 1 normal, 2 warning, 4 critical.
const SYSTEM_LEVELS = { moderate: 2, critical: 4 } as const;

/** The worst tier whose threshold the value has reached. */
export function reachedTier(value: number, thresholds: Thresholds): Tier {
  return worstReached(value, thresholds, 1);
}

/** The worst tier that the value keeps up: it is gone only beyond a distance from the threshold. */
export function keptTier(value: number, thresholds: Thresholds, releasePercent: number): Tier {
  return worstReached(value, thresholds, releasePercent / 100);
}

function worstReached(value: number, thresholds: Thresholds, share: number): Tier {
  const { isLowBad } = thresholds;
  const reached = PRESSING.filter((tier) =>
    isLowBad ? value < thresholds[tier] / share : value >= thresholds[tier] * share,
  );
  return reached.at(-1) ?? 'normal';
}

/** How long the averages of a reading prove that a threshold was reached, ms. */
export function provenMs({ averages = [] }: Read, threshold: number): number {
  const firstBelow = averages.findIndex(({ value }) => value < threshold);
  const proving = firstBelow === -1 ? averages : averages.slice(0, firstBelow);
  return proving.at(-1)?.overMs ?? 0;
}
