import type { Filter } from '../filter-sessions.ts';

/** What the person who started the watch asked for. */
export interface WatchOptions {
  /** Pause between two looks. */
  readonly everyMs: number;
  readonly isJson: boolean;
  readonly isColor: boolean;
  readonly filter: Filter;
}
