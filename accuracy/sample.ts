import type { Reason } from '../src/core/verdict/verdict.ts';
import type { Said, Score } from './score.ts';
import { isDangerous, scoreOf } from './score.ts';
import type { Mark } from './truth.ts';
import { truthDuring } from './truth.ts';

/** What one look said of one session, and what stood on its screen. */
export interface Sample {
  readonly lane: string;
  readonly session: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly said: Said | null;
  readonly reasons: readonly Pick<Reason, 'code' | 'source' | 'text'>[];
  readonly blockers: readonly string[];
  readonly word: unknown;
  readonly screen: string;
  readonly title: string;
  /** What the detectors of the other tool made of the same screen. */
  readonly rival: Said | null;
}

/** A sample held against the truth of its moment. */
export interface Judged {
  readonly sample: Sample;
  readonly mark: Mark;
  readonly isSettling: boolean;
  readonly score: Score;
  readonly isDangerous: boolean;
  readonly rivalScore: Score | null;
  readonly isRivalDangerous: boolean;
}

/** Judges the samples of one session; those from before its first mark or from the midst of a change are left out. */
export function judge(samples: readonly Sample[], marks: readonly Mark[]): Judged[] {
  return samples.flatMap((sample) => {
    const held = truthDuring(marks, sample.startedAt, sample.endedAt);
    if (!held) return [];
    const { truth } = held.mark;
    const isRivalHeard = sample.rival !== null && truth.activity !== 'gone';
    const { waitingFor: _any, ...anyWaiting } = truth;
    return [
      {
        sample,
        ...held,
        score: scoreOf(truth, sample.said),
        isDangerous: isDangerous(truth, sample.said),
        rivalScore: isRivalHeard ? scoreOf(anyWaiting, sample.rival) : null,
        isRivalDangerous: isRivalHeard && isDangerous(truth, sample.rival),
      },
    ];
  });
}

/** How long after a mark the verdict was first right; null when it never was before the next one. */
export function latencyMs(judged: readonly Judged[], mark: Mark): number | null {
  const first = judged.find((one) => one.mark === mark && one.score === 'right');
  return first ? Math.max(0, first.sample.endedAt - mark.at) : null;
}
