import type { Moment } from '../text/moment.ts';
import type { ReapMode } from './mode.ts';
import type { ReapBudget, ReapGuard } from './standing.ts';

const HOUR = 3_600_000;

/** What shadow would have closed within the last hour of awake time. */
export function withinHour(simulated: readonly number[], nowMs: number): number[] {
  return simulated.filter((atMs) => nowMs - atMs < HOUR);
}

/** The budget as this mode sees it: what shadow would have closed counts for shadow only. */
export function budgetIn(
  mode: ReapMode,
  budget: ReapBudget,
  simulated: readonly number[],
  { at, awakeMs }: Moment,
): ReapBudget {
  const own = mode === 'shadow' ? withinHour(simulated, awakeMs) : [];
  const used = budget.used + own.length;
  const { perHour, problem } = budget;
  const [oldest] = own;
  if (used < perHour || oldest === undefined) return { ...budget, used };
  return { perHour, used, freeAt: budget.freeAt ?? at + HOUR - (awakeMs - oldest), problem };
}

/** Why the budget allows nothing; null where it does. */
export function budgetGuard({ perHour, used, problem }: ReapBudget): ReapGuard | null {
  if (problem !== null) return { code: 'budget-unknown', text: problem };
  if (used < perHour) return null;
  return { code: 'budget-used', text: `${used} of ${perHour} closes of this hour are used` };
}
