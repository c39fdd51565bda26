import { spoken } from '../duration.ts';
import type { CheckRule, Judged } from './check.ts';

/** It has rested long enough, on a clock that neither suspend nor a step can stretch. */
export const rested: CheckRule = (judged) => {
  const neededMs = neededRestMs(judged);
  const has = neededMs === 0 ? 'all its panes are dead' : `it has rested for ${spoken(judged.restMs)}`;
  return judged.restMs >= neededMs
    ? { code: 'rested', state: 'met', text: has }
    : { code: 'rested', state: 'unmet', text: `${has}; ${spoken(neededMs)} are asked for` };
};

/** A dead pane will not wake up; what an exited agent left, and an idle agent, may still be wanted for a while. */
export function neededRestMs({ facts, activity }: Judged): number {
  const isDead = facts.panes.length > 0 && facts.panes.every((pane) => pane.pane?.isDead);
  if (isDead) return 0;
  return activity === 'exited' ? facts.policy.exitedAfterMs : facts.policy.idleAfterMs;
}
