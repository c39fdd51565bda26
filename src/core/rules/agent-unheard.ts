import { named } from '../verdict/evidence.ts';
import { spokenFor } from '../verdict/speaker.ts';
import type { Rule } from './rule.ts';

/**
 * A live agent that has not said what it is doing: its state is unknown, never idle. Beside an agent that speaks, one
 * that is detached (a daemon that all share) is left to the closing checklist.
 */
export const agentUnheard: Rule = (facts, now, policy) => {
  const { processes, word } = facts;
  const isCovered = spokenFor(facts);
  const agent = processes?.processes.find(
    (note) => note.role === 'agent' && !isCovered(note) && !(word && note.relation === 'outside'),
  );
  if (!processes || !agent) return null;
  const { source, observedAt } = processes;
  const { startedAt: since } = agent;
  if (now.at - since < policy.startingMs) {
    const text = `${named(agent)} has just started`;
    return { activity: 'starting', since, reason: { code: 'agent-starting', source, observedAt, text } };
  }
  const text = `${named(agent)} runs, and nothing says what it is doing`;
  return { activity: 'unknown', since, reason: { code: 'agent-state-unknown', source, observedAt, text } };
};
