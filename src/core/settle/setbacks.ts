import type { Moment } from '../text/moment.ts';
import type { Due } from './due.ts';

const MINUTE_MS = 60_000;
/** Long enough that a session that cannot be closed costs nothing, and short enough that it is gone within a day. */
const LONGEST_MS = 60 * MINUTE_MS;

/** A try to close a session that came to nothing. */
export interface Setback {
  readonly tries: number;
  /** On the clock that stands still in suspend. */
  readonly againMs: number;
  /** It went wrong; otherwise something changed, and the close was called off. */
  readonly hasFailed: boolean;
  readonly text: string;
}

/** By session key; kept for as long as the daemon lives and the session is to be closed. */
export type Setbacks = ReadonlyMap<string, Setback>;

/** How long nobody tries again: twice as long each time. */
export function pauseMs(tries: number): number {
  return Math.min(LONGEST_MS, MINUTE_MS * 2 ** (tries - 1));
}

/** Takes note of a try that came to nothing. */
export function withSetback(
  before: Setbacks,
  key: string,
  { hasFailed, text }: Pick<Setback, 'hasFailed' | 'text'>,
  { awakeMs }: Pick<Moment, 'awakeMs'>,
): Setbacks {
  const tries = (before.get(key)?.tries ?? 0) + 1;
  return new Map(before).set(key, { tries, hasFailed, text, againMs: awakeMs + pauseMs(tries) });
}

/** Forgets what is not to be closed any more, and what was only called off by something that has shown itself since. */
export function stillSetBack(before: Setbacks, dues: readonly Due[]): Setbacks {
  const states = new Map(dues.map(({ key, state }) => [key, state]));
  return new Map(
    [...before].filter(([key, { hasFailed }]) => {
      const state = states.get(key);
      return state !== undefined && (hasFailed || state === 'due' || state === 'closing');
    }),
  );
}

/** What is to be closed, with the tries that came to nothing. */
export function withTries(dues: readonly Due[], setbacks: Setbacks, now: Moment): Due[] {
  return dues.map((due) => {
    const setback = setbacks.get(due.key);
    const leftMs = setback === undefined ? 0 : setback.againMs - now.awakeMs;
    if (setback === undefined || leftMs <= 0 || due.state !== 'due') return due;
    const { hasFailed, text } = setback;
    return { ...due, state: hasFailed ? 'failed' : 'later', why: text, dueAt: now.at + leftMs };
  });
}
