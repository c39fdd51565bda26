import type { Rule } from './rule.ts';

/** The agent says itself what it is doing. */
export const agentWord: Rule = ({ word }) => {
  if (!word) return null;
  const isBusyBehind = word.says === 'idle' && word.backgroundTasks > 0;
  const what = word.waitingFor === undefined ? word.says : `${word.says} for ${word.waitingFor}`;
  return {
    activity: isBusyBehind ? 'working' : word.says,
    ...(word.waitingFor !== undefined && { waitingFor: word.waitingFor }),
    reason: {
      code: isBusyBehind ? 'background-tasks' : `agent-says-${word.says}`,
      source: 'agent',
      observedAt: word.observedAt,
      text: isBusyBehind
        ? `${word.agentKind} ended its turn, but ${word.backgroundTasks} of its background tasks still run`
        : `${word.agentKind} says it is ${what}`,
    },
  };
};
