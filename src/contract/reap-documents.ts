import type { Tier } from '../core/pressure/tier.ts';
import type { Breaker, ReapBudget, ReapEvent, ReapGuard, ReapMode, Relief } from '../core/reaper/standing.ts';
import { toDocument } from './document.ts';
import type { ReapDocument, ReapModeDocument } from './reap-schemas.ts';

/** What the reaper may do, for whoever asks. */
export interface ReapModeState {
  readonly mode: ReapMode;
  readonly wanted: ReapMode;
  readonly breaker: Breaker | null;
  readonly budget: ReapBudget;
  readonly problem: string | null;
}

/** One session as the reaper thinks of it. */
export interface PlannedReap {
  readonly key: string;
  readonly name: string;
  readonly place: number | null;
  readonly relief: Relief | null;
  readonly guard: ReapGuard | null;
  readonly memoryBytes: number | null;
}

/** One pass of the reaper, or what one would do. */
export interface ReapPass extends Omit<ReapModeState, 'wanted' | 'problem'> {
  readonly at: number;
  readonly isDryRun: boolean;
  readonly tier: Tier;
  readonly isAssumed: boolean;
  readonly confirmMs: number;
  readonly graceMs: number;
  readonly sessions: readonly PlannedReap[];
  readonly events: readonly ReapEvent[];
}

export function toReapModeDocument(state: ReapModeState): ReapModeDocument {
  const { mode, wanted, breaker, budget, problem } = state;
  return toDocument({ mode, wanted, breaker, budget: budgetObject(budget), problem });
}

export function toReapDocument(pass: ReapPass): ReapDocument {
  const { at, isDryRun, mode, tier, isAssumed, breaker, confirmMs, graceMs } = pass;
  return toDocument({
    ...{ at, isDryRun, mode, tier, isAssumed, breaker, budget: budgetObject(pass.budget) },
    confirmMs,
    graceMs,
    sessions: pass.sessions.map(({ key, name, place, relief, guard, memoryBytes }) => ({
      ...{ key, name, place, relief, memoryBytes },
      guard: guard && { code: guard.code, text: guard.text },
    })),
    events: pass.events.map(
      ({ kind, at: happenedAt, session, relief, code, text, memoryBytes, receipt }) => ({
        ...{ kind, at: happenedAt, session, relief, code, text, memoryBytes, receipt },
      }),
    ),
  });
}

export function budgetObject({ perHour, used, freeAt, problem }: ReapBudget): ReapModeDocument['budget'] {
  return { perHour, used, freeAt, problem };
}
