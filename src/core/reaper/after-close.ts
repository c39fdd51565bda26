import { type ReaperMemory, setAside } from './memory.ts';
import type { ReaperPolicy } from './policy.ts';
import {
  type Breaker,
  type ReapEvent,
  type Reaped,
  type ReapGuard,
  type ReapMoment,
  reapEvent,
} from './standing.ts';

/** What became of it. */
export type ReapOutcome =
  | { readonly result: 'closed'; readonly receipt: string; readonly text: string }
  /** Refused or stopped on the way: nothing was lost, and others go on. */
  | { readonly result: 'skipped'; readonly code: string; readonly text: string }
  /** It went wrong, or nobody knows how it ended. */
  | { readonly result: 'failed'; readonly code: string; readonly text: string }
  /** Another rollcall has just closed something: its turn comes later. */
  | { readonly result: 'waits' }
  /** Others used the hour up, or nobody can tell. */
  | { readonly result: 'no-slot'; readonly guard: ReapGuard };

/**
 * Takes note of a close. A failure trips the breaker, and the reaper may not go on by itself; a skip sets the session aside and
 * nothing else.
 */
export function afterClose(
  memory: ReaperMemory,
  reaped: Reaped,
  outcome: ReapOutcome,
  moment: ReapMoment,
  { settleMs }: ReaperPolicy,
): {
  readonly memory: ReaperMemory;
  readonly events: readonly ReapEvent[];
  readonly breaker: Breaker | null;
} {
  const { now } = moment;
  const free = { ...memory, chosen: null };
  const settled = { ...free, settledMs: now.awakeMs + settleMs };
  switch (outcome.result) {
    case 'waits':
      return { memory, events: [], breaker: null };
    case 'no-slot':
      return { memory: free, events: [reapEvent('spared', moment, reaped, outcome.guard)], breaker: null };
    case 'closed': {
      const { receipt, text } = outcome;
      const event = reapEvent('closed', moment, { ...reaped, receipt }, { code: reaped.relief, text });
      return { memory: settled, events: [event], breaker: null };
    }
    case 'skipped':
      return {
        memory: setAside(free, reaped.key, now.awakeMs),
        events: [reapEvent('skipped', moment, reaped, outcome)],
        breaker: null,
      };
    case 'failed': {
      const { code, text } = outcome;
      const breaker = { at: now.at, code, text, session: { key: reaped.key, name: reaped.name } };
      const failed = reapEvent('failed', moment, reaped, outcome);
      const tripped = reapEvent('breaker-tripped', { ...moment, mode: 'shadow' }, reaped, outcome);
      return { memory: setAside(settled, reaped.key, now.awakeMs), events: [failed, tripped], breaker };
    }
  }
}
