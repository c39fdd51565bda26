import { isGone } from '../roll.ts';
import { budgetGuard } from './budget.ts';
import { type ReapMoment, reapEvent } from './events.ts';
import type { ReaperMemory } from './memory.ts';
import type { ReapBudget, ReapEvent, ReapGuard } from './standing.ts';
import type { Survey, Surveyed } from './survey.ts';

/** The others follow in the next rounds. */
const MOST_AT_ONCE = 50;

/**
 * Guards that keep what is at rest and could have gone. Each is told once for a session and an episode of pressure,
 * however often it comes and goes: a veto on every round would flood whatever records it.
 */
export function vetoesOf(
  memory: Pick<ReaperMemory, 'told'>,
  scene: ReapMoment & { readonly survey: Survey; readonly budget: ReapBudget },
): { readonly told: ReaperMemory['told']; readonly events: readonly ReapEvent[] } {
  const told = new Map(memory.told);
  const events: ReapEvent[] = [];
  for (const one of scene.survey.all) {
    const guard = vetoOn(one, scene.budget);
    if (guard === null || events.length === MOST_AT_ONCE) continue;
    const { key, name, memoryBytes } = one.entry;
    const known = told.get(key) ?? new Set<string>();
    if (known.has(guard.code)) continue;
    told.set(key, new Set([...known, guard.code]));
    events.push(reapEvent('vetoed', scene, { key, name, memoryBytes }, guard));
  }
  return { told, events };
}

function vetoOn({ entry, judgement }: Surveyed, budget: ReapBudget): ReapGuard | null {
  const { activity, lifecycle } = entry;
  const isAtRest = activity === 'idle' || activity === 'exited';
  if (!isAtRest || lifecycle === 'closing' || isGone(entry)) return null;
  return judgement.guard ?? budgetGuard(budget);
}
