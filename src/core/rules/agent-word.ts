import type { AgentSign } from '../agent/sign.ts';
import type { AgentWord, PaneFacts } from '../verdict/facts.ts';
import { speakerOf } from '../verdict/speaker.ts';
import type { Rule } from './rule.ts';

/** All signs of the agent together. A word of rest is believed only if the process table bears it out. */
export const agentWord: Rule = (facts, now, policy) => {
  const { word } = facts;
  if (!word) return null;
  const { decisive, waitingFor } = word;
  const { activity, code, text } = meaning(word, facts, now.at - policy.startingMs);
  return {
    activity,
    ...(waitingFor !== undefined && { waitingFor }),
    ...(decisive.since !== undefined && { since: decisive.since }),
    reason: { code, source: decisive.source, observedAt: decisive.observedAt, text },
  };
};

function meaning(word: AgentWord, facts: PaneFacts, startingAfter: number) {
  const { says, agentKind, agentPid, backgroundTasks, decisive, opposed, missing } = word;
  const speaker = speakerOf(facts);
  if (opposed) {
    const text = `sources disagree: ${told(decisive)}, but ${told(opposed)}`;
    return { activity: 'unknown', code: 'sources-disagree', text } as const;
  }
  if (says === 'unknown') {
    const isYoung = speaker !== undefined && speaker.startedAt > startingAfter;
    const text = isYoung ? `${agentKind} has just started` : `${missing}; ${told(decisive)}`;
    if (isYoung) return { activity: 'starting', code: 'agent-starting', text } as const;
    return { activity: 'unknown', code: 'agent-state-unknown', text } as const;
  }
  if (says !== 'idle') return { activity: says, code: `agent-says-${says}`, text: told(decisive) } as const;
  if (!speaker) {
    const text = `sources disagree: ${told(decisive)}, but its process ${agentPid} is not there`;
    return { activity: 'unknown', code: 'sources-disagree', text } as const;
  }
  if (backgroundTasks !== 0) {
    const text = `${agentKind} ended its turn, but left ${backgroundTasks} running: ${decisive.text}`;
    return { activity: 'working', code: 'background-tasks', text } as const;
  }
  return { activity: 'idle', code: 'agent-says-idle', text: told(decisive) } as const;
}

const SAYS: Readonly<Record<AgentSign['source'], string>> = {
  agent: 'its own status says',
  hook: 'its hooks say',
  transcript: 'its transcript says',
  title: 'its title says',
  screen: 'its screen shows',
};

function told({ source, text }: AgentSign): string {
  return `${SAYS[source]}: ${text}`;
}
