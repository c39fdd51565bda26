import { awake, type Hands } from '../hands.ts';
import type { CloseResult } from './order.ts';
import type { CloseTimings } from './timings.ts';

/** How much time a close has left. */
export interface Patience {
  isOver(): boolean;
  /** So long, or as long as there is time. */
  within(ms: number): number;
}

export function patienceOf(hands: Pick<Hands, 'moment'>, { wholeMs }: CloseTimings): Patience {
  const now = () => awake(hands);
  const endsAt = wholeMs === null ? Infinity : now() + wholeMs;
  return { isOver: () => now() >= endsAt, within: (ms) => Math.max(0, Math.min(ms, endsAt - now())) };
}

/** Nothing was done yet when the time was over. */
export function tooLate(): Extract<CloseResult, { state: 'timed-out' }> {
  return { state: 'timed-out', text: 'the time was over before anything was done', blockers: [], rungs: [] };
}

/** Its verdict did not come within the time. */
export function notSeenAtRest(
  blockers: Extract<CloseResult, { state: 'timed-out' }>['blockers'],
): Extract<CloseResult, { state: 'timed-out' }> {
  return { state: 'timed-out', text: 'it was not seen at rest for long enough', blockers, rungs: [] };
}
