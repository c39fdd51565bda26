import type { Story } from '../story/story.ts';

/** A law that was broken. */
export interface Violation {
  /** Name of the law. */
  readonly law: string;
  /** What the law says. */
  readonly sentence: string;
  /** Ms since the beginning of the story. */
  readonly at: number;
  readonly text: string;
  /** What happened last before it, in short sentences. */
  readonly trace: readonly string[];
}

/** How a story ended. */
export interface Outcome {
  /** Of everything that happened; the same for the same story and the same sources. */
  readonly hash: string;
  /** Calls of ports. */
  readonly steps: number;
  /** Hours that sessions lived, all together. */
  readonly sessionHours: number;
  readonly violation: Violation | null;
  /** What was counted on the way, such as closes. */
  readonly stats: Readonly<Record<string, number>>;
}

/** Plays a story to its end, or to the first law that is broken. */
export type RunStory = (story: Story) => Promise<Outcome>;
