import * as v from 'valibot';
import { byName, finite, whole } from '../../schema/recorded.ts';
import type { Moment } from '../text/moment.ts';
import { type Pressing, TIERS, type Tier } from './tier.ts';

/** One signal as it was at the last look at which it could be read. Times are on the clock that stands still in suspend. */
export interface Track {
  readonly readAwakeMs: number;
  /** The worst tier that its value kept up. */
  readonly keeps: Tier;
  /** Since when each threshold was reached without a break; null where it was not. */
  readonly since: { readonly [T in Pressing]: number | null };
  /** Of a signal that counts: what it had counted. */
  readonly count?: number;
}

/** What one look leaves to the next about pressure. Comparable only within one boot. */
export interface PressureMemory {
  readonly format: 1;
  readonly bootId: string;
  /** When the last look was. */
  readonly awakeMs: number;
  readonly tier: Tier;
  /** Wall clock of the last change, or of the first look; for people. */
  readonly sinceAt: number;
  /** The last change; null where none was seen. */
  readonly changedAwakeMs: number | null;
  /** Since when nothing keeps the tier up any more. */
  readonly calmSinceAwakeMs: number | null;
  readonly tracks: Readonly<Record<string, Track>>;
}

/** Whether what was read is a memory of this format. Its own program wrote it: what a look reads of it is enough. */
export function isPressureMemory(value: unknown): value is PressureMemory {
  return v.is(outline, value);
}

const heldSince = v.nullable(finite);
const outline = whole({
  format: v.literal(1),
  bootId: v.string(),
  awakeMs: finite,
  sinceAt: finite,
  tier: v.picklist(TIERS),
  tracks: byName(
    whole({
      ...{ readAwakeMs: finite, keeps: v.picklist(TIERS), count: v.optional(finite) },
      since: whole({ moderate: heldSince, critical: heldSince }),
    }),
  ),
});

/** The memory that this look may build on: of the same boot, not from the future, and not too old. */
export function usableMemory(
  stored: PressureMemory | null,
  bootId: string,
  { awakeMs }: Moment,
  rememberMs: number,
): PressureMemory | null {
  if (stored === null || stored.bootId !== bootId) return null;
  const gapMs = awakeMs - stored.awakeMs;
  return gapMs >= 0 && gapMs <= rememberMs ? stored : null;
}
