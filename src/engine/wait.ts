import { isGone, type Roll, type SessionEntry } from '../core/sight/roll.ts';
import { visible } from '../core/text/visible.ts';
import type { Activity, Lifecycle } from '../core/verdict/verdict.ts';
import type { WaitState } from '../core/verdict/wait-state.ts';

/** One session that is waited for, followed by its key. */
export interface Awaited {
  readonly key: string;
  /** As it was last seen. */
  readonly name: string;
  readonly server: SessionEntry['server'];
  readonly activity: Activity;
  readonly lifecycle: Lifecycle;
  readonly lastSeenAt: number;
  /** Which of the states it reached first; `null` before that. */
  readonly reached: WaitState | null;
  readonly reachedAt: number | null;
  /** A server that answers says exactly that it is not there any more. */
  readonly isGone: boolean;
  /** `$id` of the session that has its name now. */
  readonly replacedBy: string | null;
}

/** How a session stands at the start. */
export function beginWaiting(entry: SessionEntry, until: ReadonlySet<WaitState>, at: number): Awaited {
  const { key, name, server, activity, lifecycle } = entry;
  const base = { key, name, server, activity, lifecycle, lastSeenAt: at, replacedBy: null };
  const reached = reachedBy(entry, until);
  return { ...base, isGone: isGone(entry), reached, reachedAt: reached === null ? null : at };
}

/**
 * Takes in one more look, which shows closed sessions too. What was reached stays reached. A session that is missing while
 * its server gave no answer is not gone. One that is gone has reached `exited`, and `closed`, `stale` or `lost` by how it
 * went; one of which nothing is known any more, `lost`.
 */
export function keepWaiting(
  awaited: Awaited,
  roll: Roll,
  silent: readonly string[],
  until: ReadonlySet<WaitState>,
): Awaited {
  if (awaited.isGone || awaited.reached !== null) return awaited;
  const living = roll.sessions.filter((one) => !isGone(one));
  const entry = roll.sessions.find(({ key, lifecycle }) => key === awaited.key && lifecycle !== 'lost');
  if (entry !== undefined) {
    // An entry of a server that did not answer only says that nothing is known now.
    const isSeen = !isAmong(silent, entry.server);
    return { ...beginWaiting(entry, until, roll.at), ...(!isSeen && { lastSeenAt: awaited.lastSeenAt }) };
  }
  if (isAmong(silent, awaited.server)) return awaited;
  const reached = until.has('exited') ? 'exited' : until.has('lost') ? 'lost' : null;
  const other = living.find(
    ({ name, server }) =>
      visible(name) === visible(awaited.name) && isAmong([server.socketPath], awaited.server),
  );
  return {
    ...awaited,
    isGone: true,
    reached,
    reachedAt: reached === null ? null : roll.at,
    replacedBy: other?.sessionId ?? null,
  };
}

// What a daemon told is written visibly, what was seen here is not: one look may be of either kind.
function isAmong(socketPaths: readonly string[], { socketPath }: SessionEntry['server']): boolean {
  return socketPaths.some((one) => visible(one) === visible(socketPath));
}

/** Whether it is over: all or any have reached it, or that cannot come about any more. */
export function waitOutcome(all: readonly Awaited[], isAny: boolean): 'reached' | 'gone' | 'waiting' {
  const reached = all.filter((one) => one.reached !== null);
  const gone = all.filter((one) => one.isGone && one.reached === null);
  if (isAny ? reached.length > 0 : reached.length === all.length) return 'reached';
  return (isAny ? gone.length === all.length : gone.length > 0) ? 'gone' : 'waiting';
}

const QUICK_MS = 300;
const SLOW_MS = 1000;
/** So many looks in a row may show nothing new before the rhythm slows down. */
const PATIENCE = 10;

/** Time until the next look: quick while something changes, slower and slower while nothing does. */
export function waitPauseMs(unchangedLooks: number): number {
  return Math.min(SLOW_MS, QUICK_MS + 50 * Math.max(0, unchangedLooks - PATIENCE));
}

function reachedBy({ activity, lifecycle }: SessionEntry, until: ReadonlySet<WaitState>): WaitState | null {
  if (until.has(activity)) return activity;
  return until.has(lifecycle) ? lifecycle : null;
}
