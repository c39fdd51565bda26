import type { SessionFacts } from '../ledger/current-facts.ts';
import type { JsonObject } from '../ledger/json.ts';
import type { Moment } from '../text/moment.ts';
import { keptUntil } from '../verdict/retention.ts';

/** What was declared of a session and holds for the one that takes its place. */
export interface BroughtAlong {
  readonly held?: { readonly reason: string | null };
  /** A time that was counted while the machine was awake has become a date: its clock went with the boot. */
  readonly retained?: { readonly until: number | null; readonly reason: string | null };
}

/**
 * Of a session that was lost nobody took anything back: its hold and its retention come along. A close has ended them, and
 * a session that still stands keeps them.
 */
export function broughtAlong(
  { held, retained, closed }: SessionFacts,
  isBeside: boolean,
  now: Moment,
): BroughtAlong & JsonObject {
  if (closed !== null || isBeside) return {};
  const until = retained ? keptUntil(retained, now) : 0;
  return {
    ...(held && { held: { reason: held.reason } }),
    ...(retained &&
      until > now.at && {
        retained: { until: Number.isFinite(until) ? until : null, reason: retained.reason },
      }),
  };
}

/** What does not hold for it, in words: a completion speaks for the programs that were there when it was said. */
export function leftBehind({ completion, closed }: SessionFacts): string[] {
  return closed === null && completion !== null
    ? ['its work was declared complete; that does not speak for what is started now: rollcall complete']
    : [];
}
