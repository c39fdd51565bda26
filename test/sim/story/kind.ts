import type { Rng } from '../machine/rng.ts';
import type { Spot } from './spot.ts';
import type { StoryEvent, StoryFields } from './story.ts';

/** What an event of one kind carries besides its time. */
export type FieldsOf<F extends StoryFields> = F & Omit<StoryEvent, keyof F>;

/** One kind of event: how chance makes it, and what it does to the world; false: what it is about is not there. */
export interface Kind<F extends StoryFields> {
  draw(rng: Rng): F;
  play(event: FieldsOf<F>, spot: Spot): unknown;
}

/** Any kind, for lists of them. */
// biome-ignore lint/suspicious/noExplicitAny: each kind reads only the fields that it has drawn itself
export type AnyKind = Kind<any>;

/** A kind whose fields follow from what it draws. */
export function kind<F extends StoryFields>(
  draw: (rng: Rng) => F,
  play: (event: FieldsOf<F>, spot: Spot) => unknown,
): Kind<F> {
  return { draw, play };
}

export const SECOND = 1000;
export const MINUTE = 60_000;

/** A time between two, mostly much nearer to the shorter one, in whole seconds: most hours of a world are quiet, and cheap. */
export function time(rng: Rng, leastMs: number, mostMs: number): number {
  const share = rng.next() ** 5;
  return Math.round((leastMs + (mostMs - leastMs) * share) / SECOND) * SECOND;
}
