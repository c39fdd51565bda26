import type { Moment } from '../text/moment.ts';

/** One close that the shared budget counts. */
export interface BudgetEntry {
  readonly id: string;
  readonly at: number;
  readonly awakeMs: number;
  readonly bootId: string;
  /** Absent where there is none to tell. */
  readonly pidNamespace?: string;
  readonly pid: number;
  readonly key: string;
  /** False while it is under way, and for good where its process was killed. */
  readonly isOver: boolean;
}

/** This machine at this moment. */
export interface Here {
  readonly now: Moment;
  readonly bootId: string;
}

const HOUR = 3_600_000;
/** Longer than any close takes; a process that was killed in the middle holds others up no longer than this. */
const UNDER_WAY_MS = 5 * 60_000;

/** The entries that count: of the last hour of awake time, of an earlier boot until this one is an hour old. */
export function inForce(entries: readonly BudgetEntry[], here: Here): BudgetEntry[] {
  return entries.filter((entry) => ageOf(entry, here) < HOUR);
}

/** When the next close is free, where the hour is used up. */
export function freeAtOf(entries: readonly BudgetEntry[], perHour: number, here: Here): number {
  const ages = entries.map((entry) => ageOf(entry, here)).sort((a, b) => b - a);
  return here.now.at + HOUR - (ages[ages.length - perHour] as number);
}

/** Whether a close is under way, or ended so lately that pressure is not measured again yet. */
export function isSettling(entries: readonly BudgetEntry[], settleMs: number, here: Here): boolean {
  return entries.some(
    (entry) => ageOf(entry, here) < (entry.isOver ? settleMs : Math.max(settleMs, UNDER_WAY_MS)),
  );
}

// Awake clocks of two boots cannot be compared, and a wall clock that was set would make any entry old: one of an earlier
// boot is as old as this boot, for certain.
function ageOf({ awakeMs, bootId }: BudgetEntry, { now, bootId: own }: Here): number {
  return bootId === own ? Math.max(0, now.awakeMs - awakeMs) : now.awakeMs;
}

/** Whether what was read is a list of entries. */
export function isBudgetBook(value: unknown): value is readonly BudgetEntry[] {
  return Array.isArray(value) && value.every(isEntry);
}

function isEntry(value: unknown): value is BudgetEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { id, at, awakeMs, bootId, pid, key, isOver } = value as Partial<BudgetEntry>;
  const words = [id, bootId, key].every((word) => typeof word === 'string');
  const numbers = [at, awakeMs, pid].every((number) => typeof number === 'number');
  return words && numbers && typeof isOver === 'boolean';
}
