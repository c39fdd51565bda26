import type { Hands } from '../hands.ts';

const JUST_NOW_MS = 120_000;

/**
 * Whether something was begun so lately that nobody else has gone on with it since. After that a person may have worked with the
 * agent, and ended it.
 */
export function wasJustNow({ now }: Pick<Hands, 'now'>, at: number): boolean {
  return Math.abs(now() - at) < JUST_NOW_MS;
}
