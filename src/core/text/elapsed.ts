import type { Moment } from './moment.ts';

/** When something happened: on the wall clock, and on the one that nobody can step, where that was noted. */
export interface TimeStamp {
  readonly at: number;
  readonly awakeMs?: number;
}

/** What is known of the wall clock. */
export interface Clock {
  readonly suspendedMs: number;
  readonly steppedMs: number;
}

/** How far the wall clock can be off from time spent awake, for all that is known of it. */
export function unrealMs(clock: Clock | undefined): number {
  return clock ? clock.suspendedMs + clock.steppedMs : Number.POSITIVE_INFINITY;
}

/**
 * Awake time that has passed since then for certain, ms: never more than really has. A stamp of the awake clock that is
 * ahead of it is of another boot, and of that only this boot's time is certain.
 */
export function elapsedMs({ at, awakeMs }: TimeStamp, now: Moment, unreal: number): number {
  if (awakeMs === undefined) return Math.max(0, now.at - at - unreal);
  return awakeMs > now.awakeMs ? now.awakeMs : now.awakeMs - awakeMs;
}

/**
 * How far the wall clock was stepped since a program noted its own start on it, ms. The kernel counts the age of a process
 * on another clock, so one look is enough to tell.
 */
export function steppedSince(notedAt: number | undefined, startedAt: number | undefined): number {
  if (notedAt === undefined || startedAt === undefined) return 0;
  const driftMs = Math.abs(startedAt - notedAt);
  return driftMs > START_MS ? driftMs : 0;
}

/** When it happened by the wall clock as it goes now: as it was noted, unless the clock was stepped since. */
export function beganAt(stamp: TimeStamp, now: Moment, unreal: number): number {
  const at = now.at - elapsedMs(stamp, now, unreal);
  return Math.abs(at - stamp.at) <= JITTER_MS ? stamp.at : wholeSecond(at);
}

/** What is counted on one clock and told on another must not tremble with the difference; later is more careful. */
export function wholeSecond(at: number): number {
  return Math.ceil(at / 1000) * 1000;
}

// Two clocks are read one after the other.
const JITTER_MS = 100;
// Both are told in whole seconds, and a busy machine may take another between the two.
const START_MS = 4000;
