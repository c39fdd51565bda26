import type { KeepLayouts } from '../layouts/keep-layouts.ts';
import type { RoundObserver } from './desk.ts';

/** A busy minute has many rounds; what a crash may take of them is the order of windows, not a conversation. */
const EVERY_MS = 3000;

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
