import { changesBetween, missedHints } from '../../core/supervision/changes.ts';
import {
  fullAllowance,
  hintWaitsMs,
  isShort,
  nextRoundInMs,
  spend,
  stillRoundInMs,
} from '../../core/supervision/rhythm.ts';
import type { Round, Wake } from '../../core/supervision/round.ts';
import { succeeds } from '../../core/try-or.ts';
import { memoryHolders } from '../pressure.ts';
import type { Felt, HintsWait } from './bell.ts';
import type { DaemonParts } from './parts.ts';

/** How much the newest round counts in what a round costs. */
const NEWEST = 0.3;

/** Takes rounds one after the other; each builds on the one before it. */
export function createRounds(parts: DaemonParts) {
  let last: Round | null = null;
  let nextChange = 1;
  let taken = 0;
  let costMs = 0;
  let feltInMs = 0;
  let isMarked = false;
  let changedAt: number | null = null;
  let movedAt = Number.NEGATIVE_INFINITY;
  let hints = fullAllowance('hints', parts.now().awakeMs);
  let deaths = fullAllowance('deaths', parts.now().awakeMs);

  const account = (cpuMs: number, awakeMs: number, isPaid: boolean) => {
    costMs = taken <= 1 ? cpuMs : costMs * (1 - NEWEST) + cpuMs * NEWEST;
    const spentMs = isPaid ? cpuMs : 0;
    hints = spend(hints, spentMs, awakeMs);
    deaths = spend(deaths, spentMs, awakeMs);
  };

  // What calls for rounds at once makes up for those that do not come.
  const mayWait = () => parts.stirring !== undefined && !parts.wakes.some((wake) => wake.isDeaf?.());

  /** Whether this round is the one that was put off, and found what the last one had found. */
  const wasStill = ({ now, wokenBy, changes }: Pick<Round, 'now' | 'wokenBy' | 'changes'>): boolean => {
    if (last === null || feltInMs >= last.nextInMs || changes.length > 0) return false;
    const isInTime = now.awakeMs - last.now.awakeMs >= last.nextInMs;
    return isInTime && wokenBy.every((wake) => wake === 'relist');
  };

  // Memory is measured as often as without waiting: what fills it need not be in a session.
  const hasMoved = ({ roll }: Round): boolean =>
    parts.stirring?.hasMoved() !== false || isShort(parts.pressure(memoryHolders(roll)).pressure);

  return {
    last: () => last,
    /** When and how the last round is asked whether the next one may be put off; null where it may not. */
    felt(): Felt | null {
      const { stirring } = parts;
      const round = last;
      if (stirring === undefined || round === null || feltInMs >= round.nextInMs) return null;
      const isFollowed = isMarked && succeeds(() => stirring.follow());
      return { everyMs: feltInMs, hasMoved: () => !isFollowed || hasMoved(round) };
    },
    /** How long hints have to wait now until they may begin a round. */
    hintsWait(): HintsWait {
      const { awakeMs } = parts.now();
      return { hintsAfterMs: hintWaitsMs(hints, awakeMs), deathsAfterMs: hintWaitsMs(deaths, awakeMs) };
    },
    async take(wokenBy: readonly Wake[]): Promise<Round> {
      const began = { wallMs: performance.now(), cpuMs: parts.cpuMs() };
      for (const source of parts.wakes) source.begin?.();
      const looked = await parts.look();
      // What moves while the rest of the round acts and tells is news for the next one.
      isMarked = succeeds(() => parts.stirring?.mark(looked));
      const { pressure, problems } = parts.pressure(memoryHolders(looked));
      const roll =
        problems.length === 0 ? looked : { ...looked, problems: [...looked.problems, ...problems] };
      const now = parts.now();
      // What was declared complete goes before what memory asks for: nobody has to guess about it.
      const settled = await parts.settler.round({ roll, now });
      const { standing, events } = await parts.reaper.round({ roll, pressure, now });
      const seen = { roll, pressure, events, settled: settled.events };
      const changes = changesBetween(last, seen, now, nextChange);
      nextChange += changes.length;
      if (changes.some(({ kind }) => kind === 'session')) changedAt = now.awakeMs;
      if (!wasStill({ now, wokenBy, changes })) movedAt = now.awakeMs;
      taken += 1;
      const cost = { wallMs: performance.now() - began.wallMs, cpuMs: parts.cpuMs() - began.cpuMs };
      const isPaid = wokenBy.some((wake) => wake !== 'relist' && wake !== 'start');
      account(cost.cpuMs, now.awakeMs, isPaid);
      const rhythm = {
        ...{ roll, pressure, costMs },
        graceInMs: standing.pending === null ? null : standing.pending.dueAt - now.at,
        sinceChangeMs: changedAt === null ? null : now.awakeMs - changedAt,
        mayBecomeDue: settled.standing.due.length > 0,
        stillMs: now.awakeMs - movedAt,
      };
      feltInMs = nextRoundInMs(rhythm);
      last = {
        ...{ number: taken, now, roll, pressure, changes, wokenBy, cost },
        reaper: standing,
        settle: settled.standing,
        missedHints: missedHints(changes, wokenBy),
        nextInMs: mayWait() ? stillRoundInMs(rhythm) : feltInMs,
      };
      return last;
    },
  };
}
