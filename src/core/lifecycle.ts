import type { Checklist } from './checklist.ts';
import type { Judged } from './checks/check.ts';
import { neededRestMs } from './checks/rested.ts';
import { deathsIn, seenNow } from './checks/seen-now.ts';
import { spoken } from './duration.ts';
import type { Check, Lifecycle, Reason } from './verdict.ts';

/** What a supervisor may do, and the reason for it where the activity alone does not say it. */
export interface LifecycleJudgement {
  readonly lifecycle: Lifecycle;
  readonly reason: Reason | null;
}

/** From activity, rest and checklist to the lifecycle. Doubt is `unknown`, and nothing but a full checklist is closable. */
export function lifecycleOf(judged: Judged, checklist: Pick<Checklist, 'checks'>): LifecycleJudgement {
  const { facts, activity, restMs } = judged;
  const say = (
    lifecycle: Lifecycle,
    code: string,
    text: string,
    source: Reason['source'],
  ): LifecycleJudgement => ({
    lifecycle,
    reason: { code, source, observedAt: facts.now.at, text },
  });
  if (activity === 'unknown' || seenNow(judged).state !== 'met') {
    const { massDeath } = facts;
    return massDeath
      ? say('unknown', 'mass-death', deathsIn(massDeath), 'history')
      : { lifecycle: 'unknown', reason: null };
  }
  if (activity === 'working' && stillMs(judged) >= facts.policy.hungAfterMs) {
    return say(
      'stale',
      'no-progress',
      `runs, but nothing has moved for ${spoken(stillMs(judged))}`,
      'history',
    );
  }
  if (activity === 'working' || activity === 'waiting' || activity === 'starting') {
    return { lifecycle: 'active', reason: null };
  }
  if (facts.people && facts.people.clients.length > 0) {
    return say('active', 'person-attached', 'a person is attached', 'people');
  }
  if (restMs < neededRestMs(judged)) return { lifecycle: 'active', reason: null };
  const open = checklist.checks.filter((check) => check.state !== 'met');
  if (open.length === 0) {
    return say(
      'safe-to-close',
      'proven',
      'finished: nothing runs, nothing is unsent, nothing would be lost',
      'history',
    );
  }
  if (activity === 'none') {
    return say('stale', 'long-unused', `a plain terminal, unused for ${spoken(restMs)}`, 'tmux');
  }
  return say('stale', 'proof-incomplete', gaps(open), 'history');
}

// What is known to stand against it; what is merely not known only where nothing else does.
function gaps(open: readonly Check[]): string {
  const unmet = open.filter((check) => check.state === 'unmet');
  return (unmet.length > 0 ? unmet : open).map((check) => check.text).join('; ');
}

// Time over which a running command was seen to do nothing at all, on the clock that stands still in suspend.
function stillMs({ facts, restMs }: Judged): number {
  const quiet = facts.panes.map((pane) => pane.history?.quietMs ?? 0);
  return Math.min(restMs, ...quiet);
}
