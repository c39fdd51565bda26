import type { Completion } from '../verdict/declared.ts';
import type { PeopleEvidence, ProcessNote } from '../verdict/evidence.ts';
import type { RememberedInput } from './shell-input.ts';
import { hasLaterTurn, NEW_TURN, strangersIn } from './spoken-for.ts';
import type { SpokenPane } from './spoken-pane.ts';

/** What looks have seen of a pane since a completion was said of it. */
export interface RememberedWord {
  /** When it was said. */
  readonly at: number;
  /** When its agent was at rest after that. */
  readonly restedAt?: number;
  /** What ended it. */
  readonly used?: string;
}

/** A completion that speaks for a pane, and what this look saw that ends it. */
export interface WordReading {
  readonly at: number;
  readonly isAtRest: boolean;
  /** The shell in front when it was said. */
  readonly input?: RememberedInput;
  readonly used?: string;
  /** A close is on its way: what happens now may be its doing. */
  readonly isClosing: boolean;
}

/** What a look has to know of a completion to follow one pane; undefined where it does not speak for that pane. */
export function readWord(
  completion: Completion,
  pane: { readonly paneId: string; readonly processes: readonly ProcessNote[] },
  people: Pick<PeopleEvidence, 'clients' | 'lastAttachedAt'>,
  isClosing: boolean,
): WordReading | undefined {
  const own = completion.speaksFor?.find(({ paneId }) => paneId === pane.paneId);
  if (completion.speaksFor && own === undefined) return undefined;
  const { at, isAtRest, input }: Pick<SpokenPane, 'at' | 'isAtRest' | 'input'> = own ?? completion;
  const [stranger] = own ? strangersIn(own, pane.processes) : [];
  // It stays to be seen after the close; what leaves at a close may look like another for a moment.
  const added = stranger && !isClosing && `another ${stranger.agentKind ?? stranger.program} ran in it since`;
  const used = added || (hasTyped(people, at) ? 'somebody attached to it has typed since' : undefined);
  return {
    at,
    isAtRest: isAtRest === true,
    isClosing,
    ...(input && { input }),
    ...(used !== undefined && { used }),
  };
}

// tmux counts the arrival of a client as its first input, and tells whole seconds.
const ARRIVAL_MS = 1000;

function hasTyped({ clients, lastAttachedAt = 0 }: Parameters<typeof readWord>[2], at: number): boolean {
  return clients.some(({ lastInputAt = 0 }) => lastInputAt > Math.max(at, lastAttachedAt + ARRIVAL_MS));
}

/**
 * What is remembered of a completion after a look; what ended it once has ended it. What was entered while a close is on
 * its way is put off, not dropped: the glance to compare with stays.
 */
export function followWord(
  { at, isAtRest, isClosing, used: seen }: WordReading,
  before: RememberedWord | undefined,
  entered: string | undefined,
): RememberedWord {
  const known = before?.at === at ? before : { at, ...(isAtRest && { restedAt: at }) };
  const used = known.used ?? seen ?? (isClosing ? undefined : entered);
  return used === undefined ? known : { ...known, used };
}

/** Adds what was heard of the pane's agent, which a look asks last. */
export function followTurn(
  word: RememberedWord,
  signs: Parameters<typeof hasLaterTurn>[0],
  isIdle: boolean,
  now: number,
): RememberedWord {
  if (word.used !== undefined) return word;
  if (hasLaterTurn(signs, word)) return { ...word, used: NEW_TURN };
  return isIdle && word.restedAt === undefined ? { ...word, restedAt: now } : word;
}
