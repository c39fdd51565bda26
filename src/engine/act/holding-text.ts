import type { LockSighting } from '../../core/lock/sighting.ts';
import { spoken } from '../../core/text/duration.ts';

/** Who holds it, in half a sentence: pid, program, task, since. */
export function holdingText(lock: LockSighting, now: number): string {
  const { holder, holderLife, heldBy } = lock;
  if (holder === null || holderLife === 'gone') return strangersText(heldBy);
  const runner = heldBy?.find(({ part }) => part === 'runner');
  const pid = runner?.pid ?? holder.runner?.pid ?? holder.pid;
  const program = runner?.program ?? holder.argv[0];
  const named = program === undefined ? `pid ${pid}` : `pid ${pid} (${program})`;
  return [named, ...taskText(holder.task), sinceText(holder.since, now)].join(', ');
}

function strangersText(heldBy: LockSighting['heldBy']): string {
  const [first, ...more] = heldBy ?? [];
  if (first === undefined) return 'a process that cannot be seen from here';
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return `pid ${first.pid} (${first.program})${others}, which inherited it from a runner that is gone`;
}

export function taskText(task: string | null): string[] {
  return task === null ? [] : [`task ${task}`];
}

export function sinceText(since: number, now: number): string {
  return `since ${new Date(since).toISOString()} (${spoken(Math.max(0, now - since))})`;
}
