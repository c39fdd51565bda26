import * as v from 'valibot';
import { finite } from '../../schema/recorded.ts';
import type { Moment } from '../text/moment.ts';
import type { ReapBudget, ReapGuard, ReapMode } from './standing.ts';

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

/** One close that the shared budget counts. */
const budgetEntry = v.object({
  id: v.string(),
  at: finite,
  awakeMs: finite,
  bootId: v.string(),
  /** Absent where there is none to tell. */
  pidNamespace: v.exactOptional(v.string()),
  pid: finite,
  key: v.string(),
  /** False while it is under way, and for good where its process was killed. */
  isOver: v.boolean(),
});

export type BudgetEntry = Readonly<v.InferOutput<typeof budgetEntry>>;

/** This machine at this moment. */
export interface BudgetView {
  readonly now: Moment;
  readonly bootId: string;
}

/** Longer than any close takes; a process that was killed in the middle holds others up no longer than this. */
const UNDER_WAY_MS = 5 * 60_000;

/** The entries that count: of the last hour of awake time, of an earlier boot until this one is an hour old. */
export function inForce(entries: readonly BudgetEntry[], here: BudgetView): BudgetEntry[] {
  return entries.filter((entry) => ageOf(entry, here) < HOUR);
}

/** When the next close is free, where the hour is used up. */
export function freeAtOf(entries: readonly BudgetEntry[], perHour: number, here: BudgetView): number {
  const ages = entries.map((entry) => ageOf(entry, here)).sort((a, b) => b - a);
  return here.now.at + HOUR - (ages[ages.length - perHour] as number);
}

/** Whether a close is under way, or ended so lately that pressure is not measured again yet. */
export function isSettling(entries: readonly BudgetEntry[], settleMs: number, here: BudgetView): boolean {
  return entries.some(
    (entry) => ageOf(entry, here) < (entry.isOver ? settleMs : Math.max(settleMs, UNDER_WAY_MS)),
  );
}

// Awake clocks of two boots cannot be compared, and a wall clock that was set would make any entry old: one of an earlier
// boot is as old as this boot, for certain.
function ageOf({ awakeMs, bootId }: BudgetEntry, { now, bootId: own }: BudgetView): number {
  return bootId === own ? Math.max(0, now.awakeMs - awakeMs) : now.awakeMs;
}

/** Whether what was read is a list of entries. */
export function isBudgetBook(value: unknown): value is readonly BudgetEntry[] {
  return v.is(v.array(budgetEntry), value);
}
