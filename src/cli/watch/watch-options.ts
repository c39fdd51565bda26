import type { Roll } from '../../core/sight/roll.ts';
import type { Filter } from '../../operations/filter-sessions.ts';

/** What the person who started the watch asked for. */
export interface WatchOptions {
  /** Pause between two looks. */
  readonly everyMs: number;
  readonly isJson: boolean;
  readonly isColor: boolean;
  readonly filter: Filter;
  /** How a stream looks, which needs no evidence; pages that explain a session do. */
  look?(servers: readonly string[]): Promise<Roll>;
  /** Where rolls come by themselves; looks are then taken only on demand. */
  readonly feed?: RollFeed;
}

/** Rolls that somebody else takes, each with a line about that. */
export interface RollFeed {
  onRoll(listener: (roll: Roll, note: string) => void): () => void;
}
