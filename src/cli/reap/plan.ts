import type { PlannedReap } from '../../contract/reap-documents.ts';
import type { Tier } from '../../core/pressure/tier.ts';
import { NO_MEMORY } from '../../core/reaper/memory.ts';
import type { ReaperPolicy } from '../../core/reaper/policy.ts';
import { survey } from '../../core/reaper/survey.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { Moment } from '../../core/text/moment.ts';

/** A closer look costs time; what would go after these is told by what the first look saw. */
const MOST_EXAMINED = 20;

/** The sessions that deserve a closer look, the first to go first. */
export function worthExamining(
  sessions: readonly SessionEntry[],
  now: Moment,
  policy: ReaperPolicy,
): SessionEntry[] {
  const { candidates } = survey(sessions, { tier: 'critical', now, policy }, NO_MEMORY);
  return candidates.slice(0, MOST_EXAMINED).map(({ entry }) => entry);
}

/** What the reaper thinks of every session at this tier, as if it had watched them for long enough. */
export function planReaps(
  sessions: readonly SessionEntry[],
  examined: ReadonlySet<string>,
  view: { readonly tier: Tier; readonly now: Moment; readonly policy: ReaperPolicy },
): PlannedReap[] {
  const { all, candidates } = survey(sessions, view, NO_MEMORY, examined);
  const places = new Map(candidates.map(({ entry }, index) => [entry.key, index + 1]));
  const planned = all.map(({ entry: { key, name, memoryBytes }, judgement: { relief, guard } }) => ({
    ...{ key, name, memoryBytes, relief, guard, place: places.get(key) ?? null },
  }));
  return planned.sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity) || byMemory(a, b));
}

function byMemory(a: PlannedReap, b: PlannedReap): number {
  return (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0);
}
