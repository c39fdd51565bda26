import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import { type Filter, filterSessions } from '../../operations/filter-sessions.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { takeRoll } from '../roll/take-roll.ts';

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

/** What one look of a watch brought. */
export interface WatchLook {
  readonly roll: Roll;
  /** Sessions that the filter took off the roll. */
  readonly hidden: number;
}

/** Looks once through the filter, and closer at the session that is being explained. A named session may still come. */
export async function lookAgain(
  surroundings: Surroundings,
  filter: Filter,
  closerKey: string | null,
  look = (servers: readonly string[]) => takeRoll(surroundings, servers),
): Promise<WatchLook> {
  const closer = (sessions: readonly SessionEntry[]) => sessions.filter(({ key }) => key === closerKey);
  const roll =
    closerKey === null ? await look(filter.servers) : await takeRoll(surroundings, filter.servers, closer);
  const shown = narrowed(roll, filter);
  return { roll: shown, hidden: roll.sessions.length - shown.sessions.length };
}

function narrowed(roll: Roll, filter: Filter): Roll {
  const filtered = filterSessions(roll, filter);
  if (filtered.state === 'matched') return filtered.roll;
  const words = filter.words.filter((word) => word !== filtered.word);
  return words.length === 0 ? { ...roll, sessions: [] } : narrowed(roll, { ...filter, words });
}
