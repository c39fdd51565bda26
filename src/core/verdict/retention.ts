import type { Judged } from '../checks/check.ts';
import type { KeptUntil } from '../ledger/current-facts.ts';
import { countingCompletion } from '../memory/spoken-for.ts';
import { spoken } from '../text/duration.ts';
import { beganAt, unrealMs, wholeSecond } from '../text/elapsed.ts';
import type { Moment } from '../text/moment.ts';
import type { Declared } from './declared.ts';
import type { VerdictFacts } from './facts.ts';
import { rolePolicy } from './policy.ts';
import type { Reason } from './verdict.ts';

/** A session that is kept on purpose, because its work is complete or because somebody wants it. */
export interface Retention {
  /** Infinity: for as long as nobody says otherwise. */
  readonly until: number;
  readonly isOver: boolean;
  /** It is kept because somebody said so, whatever its work has come to. */
  readonly isWished: boolean;
  readonly reason: Reason;
}

/** The role that the session was claimed for. */
export function roleOf({ standing, policy }: VerdictFacts) {
  return rolePolicy(policy, standing?.claims?.role);
}

/** What keeps a session: the wish that still runs, the completion that counts, or both. */
export function retentionOf({ facts, restMs }: Pick<Judged, 'facts' | 'restMs'>): Retention | null {
  const { now, standing, clock } = facts;
  if (!standing) return null;
  const wish = wishOf(standing, now);
  const completion = countingCompletion(facts);
  if (!completion) {
    return wish && { until: wish.until, isOver: false, isWished: true, reason: wish.reason };
  }
  // The turn in which it was said may go on for a while: its end counts as much as the completion.
  const lastAt = Math.max(beganAt(completion, now, unrealMs(clock)), wholeSecond(now.at - restMs));
  const until = Math.max(lastAt + retainForMs(facts), wish?.until ?? 0);
  const text = `declared complete ${ago(now.at - completion.at)}${because(completion.evidence)}`;
  const done: Reason = { code: 'declared-complete', source: 'declared', observedAt: completion.at, text };
  return {
    until,
    isOver: until <= now.at,
    isWished: wish !== null,
    reason: wish?.reason ?? done,
  };
}

/** The explicit wish to keep the session, while it runs. */
export function wishOf(
  declared: Pick<Declared, 'retained'> | undefined,
  now: Moment,
): Pick<Retention, 'until' | 'reason'> | null {
  const { retained } = declared ?? {};
  if (!retained) return null;
  const until = keptUntil(retained, now);
  if (until <= now.at) return null;
  const text = `kept on request${because(retained.reason)}`;
  return { until, reason: { code: 'retained', source: 'declared', observedAt: retained.at, text } };
}

/**
 * Until when it is kept, by the wall clock as it goes now. A duration is counted in time spent awake, which neither a step
 * of the clock nor suspend can end; a date follows the clock.
 */
export function keptUntil(kept: KeptUntil & { readonly at: number }, now: Moment): number {
  const { forMs, awakeMs, until } = kept;
  if (forMs === undefined || awakeMs === undefined) return until ?? Number.POSITIVE_INFINITY;
  return beganAt(kept, now, 0) + forMs;
}

/** Until when somebody wants it kept, where that is some known time to come. */
export function wishedUntil(facts: VerdictFacts): number | null {
  const until = wishOf(facts.standing, facts.now)?.until ?? Number.POSITIVE_INFINITY;
  return until === Number.POSITIVE_INFINITY ? null : until;
}

/** How much longer, in words. */
export function leftOf(until: number, at: number): string {
  return until === Number.POSITIVE_INFINITY ? 'until somebody says otherwise' : `${spoken(until - at)} more`;
}

/** How long ago, in words. */
export function ago(ms: number): string {
  return `${spoken(Math.max(0, ms))} ago`;
}

/** A reason behind what it is the reason for. */
export function because(text: string | null): string {
  return text === null || text === '' ? '' : `: ${text}`;
}

function retainForMs(facts: VerdictFacts): number {
  const { onComplete, retainForMs: forMs } = roleOf(facts);
  if (onComplete === 'keep') return Number.POSITIVE_INFINITY;
  return onComplete === 'retain' ? forMs : 0;
}
