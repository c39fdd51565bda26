import type { LaneOutcome } from './lane.ts';
import type { Judged } from './sample.ts';
import { latencyMs } from './sample.ts';
import type { Score } from './score.ts';
import { percentile } from './score.ts';

/** How the verdicts on one state came out. */
export interface Tally {
  readonly samples: number;
  readonly right: number;
  readonly unknown: number;
  readonly wrong: number;
  readonly settling: number;
  readonly dangers: number;
  readonly settlingDangers: number;
  /** Samples that were called safe to close. */
  readonly closable: number;
  /** Times that the state was entered, and how often it was never told right. */
  readonly entered: number;
  readonly missed: number;
  readonly latencyP50: number | null;
  readonly latencyP95: number | null;
}

/** Counts the samples of some states; what was still settling is counted apart. */
export function tally(judged: readonly Judged[]): Tally {
  const settled = judged.filter(({ isSettling }) => !isSettling);
  const count = (score: Score) => settled.filter((one) => one.score === score).length;
  // A state that nobody had time to look at after it settled says nothing about how fast it was told.
  const marks = [...new Set(settled.map(({ mark }) => mark))];
  const latencies = marks.map((mark) => latencyMs(judged, mark));
  const told = latencies.filter((ms) => ms !== null);
  return {
    samples: settled.length,
    right: count('right'),
    unknown: count('unknown'),
    wrong: count('wrong'),
    settling: judged.length - settled.length,
    dangers: settled.filter((one) => one.isDangerous).length,
    settlingDangers: judged.filter((one) => one.isSettling && one.isDangerous).length,
    closable: settled.filter(({ sample }) => sample.said?.lifecycle === 'safe-to-close').length,
    entered: marks.length,
    missed: latencies.length - told.length,
    latencyP50: percentile(told, 0.5),
    latencyP95: percentile(told, 0.95),
  };
}

/** The same for what the other tool made of the same screens; only where its detectors were asked. */
export function rivalTally(judged: readonly Judged[]): Pick<Tally, Score | 'samples' | 'dangers'> {
  const heard = judged.filter(({ isSettling, rivalScore }) => !isSettling && rivalScore !== null);
  const count = (score: Score) => heard.filter(({ rivalScore }) => rivalScore === score).length;
  return {
    samples: heard.length,
    right: count('right'),
    unknown: count('unknown'),
    wrong: count('wrong'),
    dangers: heard.filter(({ isRivalDangerous }) => isRivalDangerous).length,
  };
}

/** Idle states that were held long enough to be recognised, and those that never were. */
export function idleness(outcomes: readonly LaneOutcome[]): {
  readonly held: number;
  readonly missed: number;
} {
  const idle = outcomes.flatMap(({ judged }) => judged.filter(({ mark }) => mark.truth.activity === 'idle'));
  const settled = (mark: Judged['mark']) => idle.filter((one) => one.mark === mark && !one.isSettling);
  const marks = [...new Set(idle.map(({ mark }) => mark))].filter((mark) => settled(mark).length >= 5);
  return { held: marks.length, missed: marks.filter((mark) => latencyMs(idle, mark) === null).length };
}
