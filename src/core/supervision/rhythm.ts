import type { SessionEntry } from '../sight/roll.ts';
import { AT_WORK } from '../verdict/verdict.ts';
import type { Round } from './round.ts';

/** How soon a round is wanted, and how many times the usual share of a core it may take for that. */
interface Pace {
  readonly ms: number;
  readonly shares: number;
}

/** Memory is all but gone: whoever can give some back is looked at, whatever that costs. */
const URGENT: Pace = { ms: 1500, shares: 15 };
/** Where something changes, or works without telling so itself and moves. */
const QUICK: Pace = { ms: 1500, shares: 6 };
/** Where agents work that tell so themselves, or memory runs short. */
const STEADY: Pace = { ms: 4000, shares: 3 };
/** Where nothing does anything, or only what is silent: hints come early, and a death is felt by its pulse. */
const SLOW: Pace = { ms: 10_000, shares: 1 };
/** A session that just changed often changes again. */
const QUICK_FOR_MS = 10_000;
/** However dear a round is, what is told must not grow much older. */
export const LONGEST_MS = 30_000;
/** Where nothing has moved for so long already, and nobody asks. */
const LONGEST_STILL_MS = 300_000;
/** By so much the first one is put off, also where rounds are so dear that they come after the longest time anyway. */
const FIRST_PUT_OFF_MS = 20_000;
const SHORTEST_MS = 500;
/** Share of one core that rounds may take where nothing happens, in percent; with everything around them it stays below one. */
const SHARE_PERCENT = 0.7;
const SESSIONS_PER_SHARE = 200;
const MOST_SHARES = 4;

/** What the time of the next round depends on. */
export interface RhythmFacts extends Pick<Round, 'roll' | 'pressure'> {
  /** When the grace of a chosen session is over, ms from now; null where none runs. */
  readonly graceInMs: number | null;
  /** Awake time since a session last changed; null where none has. */
  readonly sinceChangeMs: number | null;
  /** What a round costs in CPU time, an average of the last ones. */
  readonly costMs: number;
  /** Whether something was declared complete that may become due, by time or by what no counter tells. */
  readonly mayBecomeDue: boolean;
  /** Awake time over which nothing has moved and nobody has asked. */
  readonly stillMs: number;
}

/** How long until the next round if nothing calls for it earlier. */
export function nextRoundInMs(seen: RhythmFacts): number {
  if (seen.graceInMs !== null) {
    return Math.round(Math.max(SHORTEST_MS, Math.min(seen.graceInMs, QUICK.ms)));
  }
  const { ms, shares } = paceOf(seen);
  const leastMs = (seen.costMs * 100) / (shares * sharePercent(seen.roll.sessions.length));
  return Math.round(Math.min(LONGEST_MS, Math.max(ms, leastMs)));
}

/**
 * How long at most where the counters of the kernel show meanwhile that nothing moved. Not longer where time alone may bring
 * something about that is acted on, nor where something could not be seen: of that no counter tells.
 */
export function stillRoundInMs(seen: RhythmFacts): number {
  const dueInMs = nextRoundInMs(seen);
  const { graceInMs, mayBecomeDue, stillMs } = seen;
  const mayWait = graceInMs === null && !mayBecomeDue && isSeenWhole(seen.roll) && paceOf(seen) === SLOW;
  return mayWait ? Math.max(dueInMs + FIRST_PUT_OFF_MS, Math.min(stillMs, LONGEST_STILL_MS)) : dueInMs;
}

/** An agent that tells nothing which rollcall can read: another look will not know more, as long as nothing moves. */
const NOBODY_READS_IT = 'agent-state-unknown';

function isSeenWhole({ problems, sessions }: Round['roll']): boolean {
  const isUnseen = ({ lifecycle, reasons, evidence }: SessionEntry) =>
    (lifecycle === 'unknown' && reasons[0]?.code !== NOBODY_READS_IT) ||
    evidence.some(({ kind }) => kind === 'sensor-unavailable');
  return problems.length === 0 && !sessions.some(isUnseen);
}

function paceOf(seen: RhythmFacts): Pace {
  if (seen.pressure.tier === 'critical') return URGENT;
  const { sinceChangeMs } = seen;
  const hasChanged = sinceChangeMs !== null && sinceChangeMs < QUICK_FOR_MS;
  const busy = seen.roll.sessions.filter((entry) => AT_WORK.has(entry.activity) && !isSilent(entry));
  if (hasChanged || busy.some((entry) => !isHeard(entry))) return QUICK;
  return isShort(seen.pressure) || busy.some(({ activity }) => activity === 'working') ? STEADY : SLOW;
}

/** Whether memory runs short, or may soon. */
export function isShort({ tier, next }: Round['pressure']): boolean {
  return tier !== 'normal' || next !== null;
}

/**
 * Whether only programs work in it that no look has seen to do anything for a while: no output, no CPU time, no other
 * processes. They have not returned, which is work, and more looks would not tell more. An agent is never silent work; beside
 * one that rests they are.
 */
export function isSilent({ activity, agent, evidence, reasons }: SessionEntry): boolean {
  const seen = evidence.flatMap((piece) => (piece.kind === 'history' ? [piece.quietMs] : []));
  if (activity !== 'working' || seen.length === 0 || seen.some((ms) => ms < QUICK_FOR_MS)) return false;
  return agent === null || reasons.every(({ code }) => OF_REST.has(code));
}

/** Findings of a session in which nothing but a command that has not returned keeps anybody from calling it at rest. */
const OF_REST: ReadonlySet<string> = new Set(['command-running', 'agent-says-idle', 'plain-shell']);

// An agent whose hooks are heard tells of its next step by itself.
function isHeard({ evidence }: SessionEntry): boolean {
  return evidence.some(({ source }) => source === 'hook');
}

/** The share of one core that rounds of so many sessions may take, in percent. */
export function sharePercent(sessions: number): number {
  return SHARE_PERCENT * Math.min(MOST_SHARES, Math.max(1, sessions / SESSIONS_PER_SHARE));
}

/** CPU time that rounds may take when hints call for them; spent by each, and growing back while none runs. */
export interface Allowance {
  readonly ms: number;
  /** So much can be saved up: a burst of events is followed at once. */
  readonly mostMs: number;
  readonly awakeMs: number;
}

/** Hints come in storms where many agents work: a quarter of one core, so that the agents keep the rest. */
const SHARE = 0.25;
const HINTS_MS = 3000;
/** Each process dies once, and somebody wants to know of it: a hundred deaths among a thousand sessions are followed at once. */
const DEATHS_MS = 30_000;
/** Even in a storm what hints tell is seen after this. */
const HINT_WAITS_MS = 1000;

export function fullAllowance(of: 'hints' | 'deaths', awakeMs: number): Allowance {
  const mostMs = of === 'deaths' ? DEATHS_MS : HINTS_MS;
  return { ms: mostMs, mostMs, awakeMs };
}

/** What is left after a round; never so little that it could not grow back within `HINT_WAITS_MS`. */
export function spend(allowance: Allowance, costMs: number, awakeMs: number): Allowance {
  const leftMs = grown(allowance, awakeMs) - Math.max(0, costMs);
  return { ...allowance, ms: Math.max(-HINT_WAITS_MS * SHARE, leftMs), awakeMs };
}

/** How long a hint has to wait now until it may begin a round; 0 where one may begin now. */
export function hintWaitsMs(allowance: Allowance, awakeMs: number): number {
  return Math.max(0, Math.ceil(-grown(allowance, awakeMs) / SHARE));
}

function grown({ ms, mostMs, awakeMs: since }: Allowance, awakeMs: number): number {
  return Math.min(mostMs, ms + Math.max(0, awakeMs - since) * SHARE);
}
