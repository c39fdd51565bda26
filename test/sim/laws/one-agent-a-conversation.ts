import type { Law } from './law.ts';

/** A look right before the start is no older than a second (docs/LAWS.md, 19). */
const GLANCE_MS = 1500;

export const oneAgentAConversation: Law = {
  name: 'one-agent-a-conversation',
  sentence: 'rollcall never starts a second agent in a conversation that one already has',
  watch({ machine, deeds }) {
    const startedBy = new Map<string, string>();
    const sinceMs = new Map<string, number>();
    return {
      on(entry) {
        if (entry.what === 'process-started' && entry.by.startsWith('rollcall:')) {
          startedBy.set(`${entry.pid}.${entry.startTicks}`, entry.by);
        }
        if (entry.what !== 'conversation') return null;
        const own = `${entry.pid}.${entry.startTicks}`;
        sinceMs.set(own, entry.at);
        const by = startedBy.get(own);
        if (by === undefined) return null;
        // `run --resume` is the decision of whoever asks.
        if ([...deeds.open()].some((deed) => deed.by === by && deed.entry.action === 'run')) return null;
        for (const { isAlive, truth, process } of machine.agents) {
          const other = `${process.pid}.${process.startTicks}`;
          const isOld = entry.at - (sinceMs.get(other) ?? 0) > GLANCE_MS;
          if (other !== own && isAlive && isOld && truth.conversation === entry.detail)
            return `${by} started pid ${entry.pid} in ${entry.detail}, which pid ${process.pid} has`;
        }
        return null;
      },
    };
  },
};
