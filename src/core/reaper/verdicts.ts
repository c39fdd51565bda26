import type { Moment } from '../text/moment.ts';
import type { ReaperMemory } from './memory.ts';
import type { ReaperPolicy } from './policy.ts';
import type { PendingReap, ReapGuard, ReapVerdict } from './standing.ts';
import type { Surveyed } from './survey.ts';
import { type ReapScene, timeGuard } from './watch-round.ts';

/** The reaper's word on every session. */
export function verdictsOf(memory: ReaperMemory, scene: ReapScene): ReapVerdict[] {
  return scene.survey.all.map((one) => {
    const { key, name, memoryBytes } = one.entry;
    const guard = guardOn(one, memory, scene);
    return { key, name, memoryBytes, guard, relief: guard === null ? one.judgement.relief : null };
  });
}

function guardOn({ entry, judgement }: Surveyed, memory: ReaperMemory, scene: ReapScene): ReapGuard | null {
  if (judgement.guard !== null) return judgement.guard;
  if (scene.mode === 'off') return { code: 'reaper-off', text: 'the reaper is off' };
  if (memory.named.has(entry.key)) {
    return { code: 'named', text: 'it would have been closed before: it is counted as gone' };
  }
  return memory.chosen?.key === entry.key ? null : timeGuard(entry.key, memory, scene);
}

/** The session that was chosen, and when its grace is over. */
export function pendingOf(
  { chosen }: ReaperMemory,
  { graceMs }: ReaperPolicy,
  now: Moment,
): PendingReap | null {
  if (chosen === null) return null;
  const { key, name, relief, at: decidedAt, sinceMs, memoryBytes } = chosen;
  const leftMs = Math.max(0, graceMs - (now.awakeMs - sinceMs));
  return { key, name, relief, decidedAt, dueAt: now.at + leftMs, memoryBytes };
}
