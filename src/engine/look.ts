import type { Roll } from '../core/roll.ts';

/** How much one look takes in. */
export interface LookOptions {
  /** Only these servers (socket paths or `-L` labels); all of them otherwise. */
  readonly servers?: readonly string[];
  /** Also sense what only `explain` shows: git and the screen of every pane, and CPU over a short second sample. */
  readonly isThorough?: boolean;
}

/** One look at the machine: sense, classify, and return the roll. Changes nothing that it looks at. */
export type Look = (options?: LookOptions) => Promise<Roll>;
