import type { SessionEntry } from '../sight/roll.ts';
import { spoken } from '../text/duration.ts';
import type { Moment } from '../text/moment.ts';
import { fingerprintOf, type ScreenMark } from './fingerprint.ts';
import type { Steady } from './memory.ts';
import type { ReaperPolicy } from './policy.ts';
import type { ReapGuard } from './standing.ts';

/** Twice might be chance: something that comes and goes looks the same at both. */
const LEAST_SIGHTINGS = 3;

/** Goes on with the watch over one session; whatever changed in it begins the watch anew. */
export function watchOn(
  before: Steady | undefined,
  entry: SessionEntry,
  screens: ScreenMark,
  { awakeMs }: Moment,
): Steady | null {
  // A screen that cannot be seen is not known to be still.
  if (screens === null) return null;
  const mark = fingerprintOf(entry, screens);
  const lastStirMs = awakeMs - quietMsOf(entry);
  if (before === undefined || before.mark !== mark || lastStirMs > before.sinceMs) {
    return { mark, sinceMs: awakeMs, sightings: 1 };
  }
  return { ...before, sightings: before.sightings + 1 };
}

/** Awake time over which no pane was seen to work, not even in a way that left everything as it was. */
export function quietMsOf({ evidence }: SessionEntry): number {
  return Math.min(...evidence.map((piece) => (piece.kind === 'history' ? piece.quietMs : Infinity)));
}

/** Why it was not watched for long enough; null where it was. */
export function watchGuard(
  steady: Steady | undefined,
  { confirmMs }: ReaperPolicy,
  { awakeMs }: Moment,
): ReapGuard | null {
  if (steady === undefined) return { code: 'confirming', text: 'its screen was not seen yet' };
  const seenMs = awakeMs - steady.sinceMs;
  if (seenMs >= confirmMs && steady.sightings >= LEAST_SIGHTINGS) return null;
  const text = `unchanged for ${spoken(seenMs)} so far; ${spoken(confirmMs)} are asked for`;
  return { code: 'confirming', text };
}
