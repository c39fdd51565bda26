import type { SessionEntry } from '../sight/roll.ts';
import type { Round } from './round.ts';

/** How soon a round is wanted, and how many times the usual share of a core it may take for that. */
interface Pace {
  readonly ms: number;
  readonly shares: number;
}

/** Memory is all but gone: whoever can give some back is looked at, whatever that costs. */
const URGENT: Pace = { ms: 1500, shares: 15 };
/** Where something changes, or works without telling so itself. */
const QUICK: Pace = { ms: 1500, shares: 6 };
/** Where agents work that tell so themselves, or memory runs short. */
const STEADY: Pace = { ms: 4000, shares: 3 };
/** Where nothing does anything: hints come early, and a death is felt by its pulse. */
const SLOW: Pace = { ms: 10_000, shares: 1 };
/** A session that just changed often changes again. */
const QUICK_FOR_MS = 10_000;
/** However dear a round is, evidence must not grow much older than it counts for. */
const LONGEST_MS = 30_000;
const SHORTEST_MS = 500;
/** Share of one core that rounds may take where nothing happens, in percent; with everything around them it stays below one. */
const SHARE_PERCENT = 0.7;
const SESSIONS_PER_SHARE = 200;
const MOST_SHARES = 4;

/** What the time of the next round depends on. */
export interface Seen extends Pick<Round, 'roll' | 'pressure'> {
  /** When the grace of a chosen session is over, ms from now; null where none runs. */
  readonly graceInMs: number | null;
  /** Awake time since a session last changed; null where none has. */
  readonly sinceChangeMs: number | null;
  /** What a round costs in CPU time, an average of the last ones. */
  readonly costMs: number;
}

/** How long until the next round if nothing calls for it earlier. */
export function nextRoundInMs(seen: Seen): number {
  if (seen.graceInMs !== null) {
    return Math.round(Math.max(SHORTEST_MS, Math.min(seen.graceInMs, QUICK.ms)));
  }
  const { ms, shares } = paceOf(seen);
  const leastMs = (seen.costMs * 100) / (shares * sharePercent(seen.roll.sessions.length));
  return Math.round(Math.min(LONGEST_MS, Math.max(ms, leastMs)));
}

function paceOf(seen: Seen): Pace {
  if (seen.pressure.tier === 'critical') return URGENT;
  const { sinceChangeMs } = seen;
  const hasChanged = sinceChangeMs !== null && sinceChangeMs < QUICK_FOR_MS;
  const { sessions } = seen.roll;
  if (hasChanged || sessions.some((entry) => isStirring(entry) && !isHeard(entry))) return QUICK;
  const isShort = seen.pressure.tier !== 'normal' || seen.pressure.next !== null;
  return isShort || sessions.some(isWorking) ? STEADY : SLOW;
}

function isStirring({ activity }: SessionEntry): boolean {
  return activity === 'working' || activity === 'starting' || activity === 'waiting';
}

function isWorking({ activity }: SessionEntry): boolean {
  return activity === 'working';
}

// An agent whose hooks are heard tells of its next step by itself.
function isHeard({ evidence }: SessionEntry): boolean {
  return evidence.some(({ source }) => source === 'hook');
}

/** The share of one core that rounds of so many sessions may take, in percent. */
export function sharePercent(sessions: number): number {
  return SHARE_PERCENT * Math.min(MOST_SHARES, Math.max(1, sessions / SESSIONS_PER_SHARE));
}
