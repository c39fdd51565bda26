import * as v from 'valibot';
import { described } from '../schema/described.ts';
import { flag, someOf, text, texts, whole } from '../schema/fields.ts';

// What several operations take.

/** More than a ledger can hold. */
export const MOST_ENTRIES = 999_999_999;
export const TEN_YEARS_MS = 3650 * 86_400_000;
/** The latest time that a date can name. */
export const LATEST = 8_640_000_000_000_000;

export function may<const S extends v.GenericSchema>(schema: S, means: string) {
  return v.optional(described(schema, means));
}

/** The longest word by which something is named: a path of a socket and a long name. */
export const LONGEST_WORD = 1000;

const session = described(
  text(LONGEST_WORD),
  'its name, `$id`, `%pane` or key; LABEL:NAME or SOCKETPATH:NAME where a name is not unique',
);
export const servers = may(
  texts(20, 500),
  'only on these tmux servers: their labels, or the paths of their sockets',
);
export const one = { session, servers };
export const reason = may(text(1000), 'why, for others to read');
export const dryRun = may(flag(), 'say what would be done, and do nothing');
export const claim = may(text(500), 'recorded with it');

export const despite = may(
  someOf(['attached', 'recent-input', 'human-managed', 'project-config-broken', 'held', 'retained']),
  'protections that are set aside',
);

export const timeoutMs = may(
  whole(1000, 3_600_000),
  'how long all of it may take; then it gives up. A minute where left out',
);

// What is the same for several of a kind.

export const LOOKS = { changes: 'looks', word: null } as const;

export const DECLARES = {
  changes: 'declares',
  output: 'Acted',
  fails: ['failed', 'usage', 'not-found', 'ambiguous', 'lock-held'],
  word: 'session',
} as const;

export const ENDS = {
  changes: 'acts',
  output: 'Closed',
  fails: ['failed', 'usage', 'refused', 'not-found', 'ambiguous', 'timed-out'],
  word: 'session',
} as const;
