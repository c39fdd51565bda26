import type { SessionEntry } from '../sight/roll.ts';

/** Whether an agent sleeps in one of its panes, whatever else goes on in it. */
export function isSleepIn({ evidence }: Pick<SessionEntry, 'evidence'>): boolean {
  return evidence.some((one) => one.kind === 'pane' && one.asleep !== undefined);
}
