import { isGone, type SessionEntry } from '../sight/roll.ts';
import type { Relief } from './standing.ts';

/** How the reaper gives memory back: it closes the session, or lets its agent sleep in it. */
export const REAP_WAYS = ['close', 'hibernate'] as const;

export type ReapWay = (typeof REAP_WAYS)[number];

/**
 * Whether an agent sleeps rather than that its session is closed. What was declared complete is not wanted back, and several
 * agents, or one that nobody knows how to wake, cannot sleep.
 */
export function isToSleep(entry: SessionEntry, relief: Relief, way: ReapWay): boolean {
  if (way !== 'hibernate' || relief === 'retention-over') return false;
  if (isGone(entry) || entry.activity !== 'idle') return false;
  const told = entry.evidence.flatMap((one) => (one.kind === 'agent' ? [one] : []));
  const running = entry.evidence.filter(
    (one) =>
      one.kind === 'processes' &&
      one.processes.some(({ role, relation }) => role === 'agent' && relation !== 'outside'),
  );
  const [only] = told;
  return told.length === 1 && running.length === 1 && only?.resume != null && only.conversation != null;
}
