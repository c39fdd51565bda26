import type { AgentWordEvidence } from '../evidence.ts';
import { speakerOf } from '../speaker.ts';
import type { Activity, Reason } from '../verdict.ts';
import type { Rule } from './rule.ts';

/** The agent says itself what it is doing. A word of rest is believed only if the process table bears it out. */
export const agentWord: Rule = (facts) => {
  const { word } = facts;
  if (!word) return null;
  const [activity, code, text] = meaning(word, speakerOf(facts) !== undefined);
  const reason: Reason = { code, source: 'agent', observedAt: word.observedAt, text };
  return { activity, ...(word.waitingFor !== undefined && { waitingFor: word.waitingFor }), reason };
};

function meaning(word: AgentWordEvidence, isLive: boolean): readonly [Activity, string, string] {
  const { says, agentKind, agentPid, backgroundTasks } = word;
  const isEnd = says === 'exited' || says === 'none';
  if ((isEnd || says === 'idle') && backgroundTasks > 0) {
    const text = `${agentKind} ended its turn, but ${backgroundTasks} of its background tasks still run`;
    return ['working', 'background-tasks', text];
  }
  const what = word.waitingFor === undefined ? says : `${says} for ${word.waitingFor}`;
  const said = `${agentKind} says it is ${what}`;
  if (isEnd && isLive) {
    return ['unknown', 'sources-disagree', `sources disagree: ${said}, but it runs (pid ${agentPid})`];
  }
  if (says === 'idle' && !isLive) {
    return [
      'unknown',
      'sources-disagree',
      `sources disagree: ${said}, but its process ${agentPid} is not there`,
    ];
  }
  return [says, `agent-says-${says}`, said];
}
