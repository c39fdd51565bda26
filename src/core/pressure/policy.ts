import type { Pressing } from './tier.ts';

/** A bound for each kind of pressure. */
type PerTier = { readonly [T in Pressing]: number };

/** Where pressure begins, how long it has to last, and when it is over; config fills it in. */
export interface PressurePolicy {
  /** Share of the time in which some process waited for memory, percent. */
  readonly stallSomePercent: PerTier;
  /** Share of the time in which every process waited for memory, percent. */
  readonly stallFullPercent: PerTier;
  /** Available memory below this share of what there is, percent … */
  readonly availablePercent: PerTier;
  /** … and below this size: on a large machine a small share is still plenty. */
  readonly availableBytes: PerTier;
  /** How long a value has to hold before the tier rises, awake time. */
  readonly riseAfterMs: PerTier;
  /** How long every value has to be gone before the tier falls, awake time. */
  readonly fallAfterMs: number;
  /** A value is gone once it is under this share of its threshold, percent. */
  readonly releasePercent: number;
  /** After a change the tier falls no sooner than this, awake time. */
  readonly transitionMs: number;
  /** What was last known counts for this long where nothing newer can be had, awake time. */
  readonly rememberMs: number;
  /** Looks further apart than this say nothing about stalls in between, awake time. */
  readonly freshMs: number;
}
