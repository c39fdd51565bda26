import type { Due } from '../../core/settle/due.ts';
import type { Round } from '../../core/supervision/round.ts';
import { visible } from '../../core/text/visible.ts';
import type { DaemonStanding } from '../../ports/daemon.ts';
import type { KeepLayouts } from '../layouts/keep-layouts.ts';
import type { RoundObserver } from './desk.ts';

/** A busy minute has many rounds. What a crash takes of it is how things went and the order of windows, no conversation. */
const EVERY_MS = 3000;

/** Which daemon it is. */
type StandingSelf = Pick<DaemonStanding, 'pid' | 'bootId'>;

/** Writes down now and then how the daemon does. What cannot be written is told, once until it can. */
export function createStandingObserver(
  self: StandingSelf,
  save: (standing: DaemonStanding) => string | null,
  onProblem: (text: string) => void,
  servers: readonly string[] | null = null,
): RoundObserver {
  let savedAt = Number.NEGATIVE_INFINITY;
  let savedNextInMs = 0;
  let missedHints = 0;
  let told = '';
  return (round) => {
    missedHints += round.missedHints;
    // A round that may come later than was written would be taken for one that never came.
    const isLater = round.nextInMs > savedNextInMs;
    if (!isLater && round.now.awakeMs - savedAt < EVERY_MS) return;
    savedAt = round.now.awakeMs;
    savedNextInMs = round.nextInMs;
    const problem = save(standingOf(round, self, missedHints, servers)) ?? '';
    if (problem !== '' && problem !== told) onProblem(problem);
    told = problem;
  };
}

/** How a daemon does after a round. */
export function standingOf(
  round: Round,
  self: StandingSelf,
  missedHints: number,
  servers: readonly string[] | null = null,
): DaemonStanding {
  const { mode, wanted, pending, breaker } = round.reaper;
  return {
    ...{ format: 1, ...self, at: round.now.at, rounds: round.number, missedHints },
    sessions: round.roll.sessions.length,
    nextAt: round.now.at + round.nextInMs,
    nextAwakeMs: round.now.awakeMs + round.nextInMs,
    roundMs: Math.round(round.cost.wallMs),
    roundCpuMs: Math.round(round.cost.cpuMs),
    tier: round.pressure.tier,
    reaper: {
      ...{ mode, wanted },
      pending: pending && { name: visible(pending.name, 200), dueAt: pending.dueAt },
      breaker: breaker && visible(breaker.text, 400),
    },
    settle: { mode: round.settle.mode, servers, due: round.settle.due.slice(0, MOST_DUE).map(shownDue) },
  };
}

// The file has a bound, and nobody reads more.
const MOST_DUE = 50;

function shownDue({ key, name, dueAt, why, state }: Due): Due {
  return { key, name: visible(name, 200), dueAt, why: visible(why, 400), state };
}

/** Has the layouts kept of what a round saw. What cannot be kept is told, once until it can. */
export function createLayoutsObserver(keep: KeepLayouts, onProblem: (text: string) => void): RoundObserver {
  let keptAt = Number.NEGATIVE_INFINITY;
  let told = '';
  return async ({ roll, now }) => {
    if (now.awakeMs - keptAt < EVERY_MS) return;
    keptAt = now.awakeMs;
    const problem = (await keep(roll)) ?? '';
    if (problem !== '' && problem !== told) onProblem(problem);
    told = problem;
  };
}
