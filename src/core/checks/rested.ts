import { spoken } from '../text/duration.ts';
import { leftOf, retentionOf, roleOf } from '../verdict/retention.ts';
import { check, type Judged, met, unmet } from './check.ts';

/**
 * It has rested long enough, on a clock that neither suspend nor a step can stretch. A completion stands in for the rest
 * once it has been kept for as long as was promised; whatever is still kept on purpose has not rested enough. What sleeps is
 * kept so until somebody wakes it: no time makes it due.
 */
export const rested = check('rested', (judged) => {
  const retention = retentionOf(judged);
  if (retention) {
    const { isOver, until, reason } = retention;
    return isOver
      ? met(`${reason.text}; its time is over`)
      : unmet(`${reason.text}; kept ${leftOf(until, judged.facts.now.at)}`);
  }
  if (hasSleeping(judged)) return unmet('an agent in it sleeps, to be woken again');
  const neededMs = neededRestMs(judged);
  const has = neededMs === 0 ? 'all its panes are dead' : `it has rested for ${spoken(judged.restMs)}`;
  return judged.restMs >= neededMs ? met(has) : unmet(`${has}; ${spoken(neededMs)} are asked for`);
});

/** Whether an agent sleeps in one of its panes, also beside one that is only idle. */
export function hasSleeping({ facts }: Pick<Judged, 'facts'>): boolean {
  return facts.panes.some(({ pane }) => pane?.asleep !== undefined);
}

/** A dead pane will not wake up; what an exited agent left, and an idle agent, may still be wanted for a while. */
export function neededRestMs({ facts, activity }: Judged): number {
  const isDead = facts.panes.length > 0 && facts.panes.every((pane) => pane.pane?.isDead);
  if (isDead) return 0;
  if (activity === 'exited') return facts.policy.exitedAfterMs;
  return roleOf(facts).idleAfterMs ?? facts.policy.idleAfterMs;
}
