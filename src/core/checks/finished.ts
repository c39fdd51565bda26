import type { PaneFacts } from '../facts.ts';
import { ending } from '../rules/dead-pane.ts';
import type { Check } from '../verdict.ts';
import type { CheckRule } from './check.ts';

/** What is in each pane has ended by itself, or its conversation can be brought back. */
export const finished: CheckRule = ({ facts }) => {
  const code = 'finished-or-resumable';
  const all = facts.panes.map(outcome);
  const worst =
    all.find((check) => check.state === 'unmet') ?? all.find((check) => check.state === 'unknown') ?? all[0];
  return worst ? { code, ...worst } : { code, state: 'unknown', text: 'there is no pane to look at' };
};

function outcome({ pane, agent, word, processes, history }: PaneFacts): Omit<Check, 'code'> {
  if (pane?.isDead) {
    if (pane.exitStatus === 0 && pane.exitSignal === undefined)
      return { state: 'met', text: 'its program ended with status 0' };
    const isToldBad = pane.exitStatus !== undefined || pane.exitSignal !== undefined;
    return { state: isToldBad ? 'unmet' : 'unknown', text: `its program ended ${ending(pane)}` };
  }
  if (word?.hasFailed) return { state: 'unmet', text: 'its last turn ended in an error' };
  if (agent?.resume?.length)
    return { state: 'met', text: `its conversation can be resumed: ${agent.resume.join(' ')}` };
  if (agent || processes?.processes.some((note) => note.role === 'agent')) {
    return { state: 'unknown', text: 'how to resume its conversation is not known' };
  }
  if (history?.agentSeen !== undefined)
    return { state: 'met', text: `${history.agentSeen} has ended by itself` };
  return { state: 'unmet', text: 'nothing here has finished' };
}
