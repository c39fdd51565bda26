import { spokenFor } from '../verdict/speaker.ts';
import type { Rule } from './rule.ts';

/**
 * A live agent that has not said what it is doing: its state is unknown, never idle. Beside an agent that speaks, one
 * outside the tree (a daemon that all share) is left to the closing checklist.
 */
export const agentUnheard: Rule = (facts, now, policy) => {
  const { processes, word } = facts;
  const isCovered = spokenFor(facts);
  const agent = processes?.processes.find(
    (note) => note.role === 'agent' && !isCovered(note) && !(word && note.relation === 'outside'),
  );
  if (!processes || !agent) return null;
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
