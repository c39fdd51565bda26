import type { Rule } from './rule.ts';

/** A live agent that has not said what it is doing: its state is unknown, never idle. */
export const agentUnheard: Rule = ({ processes, word }, now, policy) => {
  const agent = processes?.processes.find((note) => note.role === 'agent');
  if (!processes || !agent || word) return null;
  const isYoung = now.at - agent.startedAt < policy.startingMs;
  return {
    activity: isYoung ? 'starting' : 'unknown',
    since: agent.startedAt,
    reason: {
      code: isYoung ? 'agent-starting' : 'agent-state-unknown',
      source: 'process',
      observedAt: processes.observedAt,
      text: isYoung
        ? `${agent.program} (pid ${agent.pid}) has just started`
        : `${agent.program} (pid ${agent.pid}) runs, and nothing says what it is doing`,
    },
  };
};
