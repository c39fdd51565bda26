import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { Moment } from '../../core/moment.ts';
import { keptUntil } from '../../core/retention.ts';
import type { SessionEntry } from '../../core/roll.ts';
import type { Declared } from './declare.ts';
import { declare, subjectOf } from './declare.ts';
import type { Hands } from './hands.ts';

/** Nobody closes it until that is taken back. */
export function hold(hands: Hands, entry: SessionEntry, reason: string | null): Promise<Declared> {
  return declare(hands, {
    action: 'hold',
    session: subjectOf(entry),
    decide: (facts) => (facts?.held && facts.held.reason === reason ? null : { reason }),
  });
}

export function unhold(hands: Hands, entry: SessionEntry): Promise<Declared> {
  return declare(hands, {
    action: 'unhold',
    session: subjectOf(entry),
    decide: (facts) => (facts?.held ? {} : null),
  });
}

/** Kept until a date, or for a time: a date follows the wall clock, a time is counted while the machine is awake. */
export type Keeping = ({ readonly until: number } | { readonly forMs: number }) & {
  readonly reason: string | null;
};

export function retain(hands: Hands, entry: SessionEntry, keeping: Keeping): Promise<Declared> {
  const { reason } = keeping;
  return declare(hands, {
    action: 'retain',
    session: subjectOf(entry),
    decide: (facts) => {
      if ('forMs' in keeping) {
        const { at, awakeMs } = hands.moment();
        return { until: at + keeping.forMs, forMs: keeping.forMs, awakeMs, reason };
      }
      const { until } = keeping;
      const { retained } = facts ?? {};
      const isKnown = retained?.until === until && retained.forMs === undefined && retained.reason === reason;
      return isKnown ? null : { until, reason };
    },
  });
}

/** Ends a retention now; there is nothing to record where none holds. */
export function release(hands: Hands, entry: SessionEntry): Promise<Declared> {
  return declare(hands, {
    action: 'retain',
    session: subjectOf(entry),
    decide: (facts) => {
      const now = hands.moment();
      return isRetained(facts, now) ? { until: now.at, reason: null, released: true } : null;
    },
  });
}

export function isRetained(facts: SessionFacts | undefined, now: Moment): boolean {
  return facts?.retained != null && keptUntil(facts.retained, now) > now.at;
}
