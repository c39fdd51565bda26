import { named, type ProcessNote } from '../verdict/evidence.ts';
import type { Policy } from '../verdict/policy.ts';
import type { Rule } from './rule.ts';

/**
 * Processes that used CPU or storage since the last look are working, also detached ones. An agent's own process
 * does not count: its screen redraws for ever, even when it is idle. A sleeper is never at work.
 */
export const progress: Rule = ({ processes }, _now, policy) => {
  const busy = processes?.processes.find(
    (note) => note.role !== 'agent' && note.role !== 'sleeper' && isBusy(note, policy),
  );
  if (!processes || !busy) return null;
  const used = `${Math.round(busy.cpuPercent ?? 0)} % of a core, ${Math.round((busy.ioBytesPerSecond ?? 0) / 1024)} KiB/s`;
  const { source, observedAt } = processes;
  const text = `${named(busy)} makes progress: ${used}`;
  return {
    activity: 'working',
    since: busy.startedAt,
    reason: { code: 'progress', source, observedAt, text },
  };
};

function isBusy(note: ProcessNote, policy: Policy): boolean {
  return (
    (note.cpuPercent ?? 0) >= policy.workingCpuPercent ||
    (note.ioBytesPerSecond ?? 0) >= policy.workingIoBytesPerSecond
  );
}
