import type { SessionFacts } from '../ledger/current-facts.ts';
import type { Clock } from '../text/elapsed.ts';

/** What tells when the work that is now in a session can have begun, epoch ms. */
export interface Beginnings {
  /** The tmux session's own note. A window can be older than its session: it was moved or shared. */
  readonly createdAt: number;
  /** Start of every process of its panes, which the kernel counts on the boot clock. */
  readonly startedAt: readonly number[];
  /** Last output of its dead panes: of their processes nothing else is left. */
  readonly deadAt: readonly number[];
  /** The first that the ledger has of it, or of the session that it continues. */
  readonly recordedAt: number;
}

/** Everything counts: nobody can tell where the session's work began. */
export const ALWAYS = 0;

// The start of a process is told in ticks from a boot time that is rounded; earlier is more careful.
const START_SLACK_MS = 1000;

/**
 * From when on unsaved work may be this session's: the earliest beginning that is known. Always, where the wall clock was
 * stepped or is behind one of them, because the times of files cannot be compared with them then.
 */
export function workSince(
  { createdAt, startedAt, deadAt, recordedAt }: Beginnings,
  clock: Pick<Clock, 'steppedMs'> | undefined,
  now: number,
): number {
  if (clock === undefined || clock.steppedMs !== 0) return ALWAYS;
  if (createdAt > now || deadAt.some((at) => at < createdAt)) return ALWAYS;
  return Math.max(ALWAYS, Math.min(createdAt, recordedAt, ...startedAt.map((at) => at - START_SLACK_MS)));
}

/**
 * The first time that the ledger knows of a session, or of one that it was reopened from, however often; infinite where it
 * knows none. A reopened session goes on with older work, so one without a known past has always been there.
 */
export function firstRecordOf(key: string, facts: ReadonlyMap<string, SessionFacts>): number {
  let first = Number.POSITIVE_INFINITY;
  const seen = new Set<string>();
  for (let one = facts.get(key); one !== undefined && !seen.has(one.key); ) {
    seen.add(one.key);
    first = Math.min(first, ...timesOf(one));
    const { key: current, origin } = one;
    const earlier = [...facts.values()].find(({ reopened }) => reopened?.key === current);
    const isContinued = earlier !== undefined || origin?.how === 'reopened';
    if (isContinued && !earlier?.origin?.place) return ALWAYS;
    one = earlier;
  }
  return first;
}

function timesOf({ origin, held, retained, completion, closed, gates = [] }: SessionFacts): number[] {
  const createdAt = origin?.place ? [origin.place.createdAtSeconds * 1000] : [];
  const said = [origin, held, retained, completion, closed, ...gates].flatMap((one) => one?.at ?? []);
  return [...createdAt, ...said];
}
