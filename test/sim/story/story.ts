/** What an event may carry: a story is kept, cut and sent as JSON. */
export type StoryValue = string | number | boolean | null | readonly StoryValue[] | StoryFields;

export interface StoryFields {
  readonly [field: string]: StoryValue;
}

/**
 * One thing that happens in the world, at a time counted from its beginning, ms. What it is about it names by words that mean
 * the same in every run (`s3`); if that is not there any more, nothing happens. So any part of a story is a story.
 */
export interface StoryEvent extends StoryFields {
  readonly at: number;
  readonly kind: string;
}

/** A world from its beginning to its end. Everything in a run follows from it. */
export interface Story {
  readonly seed: number;
  /** How many sessions there are at the beginning. */
  readonly sessions: number;
  /** How long things happen. */
  readonly hours: number;
  /** How long the calm after that lasts, in which what must happen in the end has to happen; 0: it is cut off, and nothing is asked. */
  readonly calmHours?: number;
  /** CPU time that a round takes for each session, on a machine that is slow or has much else to do. */
  readonly roundMs?: number;
  /** Settings of rollcall that differ from the usual ones. */
  readonly config: StoryFields;
  /** In order of their time. */
  readonly events: readonly StoryEvent[];
}

export const HOUR_MS = 3_600_000;
