import type { PressurePolicy } from './policy.ts';
import type { Reading } from './reading.ts';
import { PRESSING, type Pressing, type Tier } from './tier.ts';

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
