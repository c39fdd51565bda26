import { acceptedCompletion } from '../declared.ts';
import type { PaneFacts } from '../facts.ts';
import { shownCommand } from '../mask-secrets.ts';
import { ending } from '../rules/dead-pane.ts';
import type { Check } from '../verdict.ts';
import { isVouchedShell } from '../vouched.ts';
import type { CheckRule } from './check.ts';

/**
 * What is in each pane has ended by itself, its conversation can be brought back, or somebody declared its work done. A
 * completion does not speak for a turn that ended in an error, nor for a terminal that a person added: of plain terminals only
 * for the one that rollcall started.
 */
export const finished: CheckRule = ({ facts }) => {
  const code = 'finished-or-resumable';
  const isDone = facts.standing !== undefined && acceptedCompletion(facts.standing) !== null;
  const all = facts.panes.map((pane) => (isVouchedShell(facts, pane) ? DECLARED : outcome(pane, isDone)));
  const worst =
    all.find((check) => check.state === 'unmet') ?? all.find((check) => check.state === 'unknown') ?? all[0];
  return worst ? { code, ...worst } : { code, state: 'unknown', text: 'there is no pane to look at' };
};

const DECLARED = { state: 'met', text: 'its work was declared complete' } as const;

function outcome({ pane, agent, word, processes, history }: PaneFacts, isDone: boolean): Omit<Check, 'code'> {
  if (pane?.isDead) {
    if (pane.exitStatus === 0 && pane.exitSignal === undefined)
      return { state: 'met', text: 'its program ended with status 0' };
    if (isDone) return DECLARED;
    const isToldBad = pane.exitStatus !== undefined || pane.exitSignal !== undefined;
    return { state: isToldBad ? 'unmet' : 'unknown', text: `its program ended ${ending(pane)}` };
  }
  if (word?.hasFailed) return { state: 'unmet', text: 'its last turn ended in an error' };
  if (agent?.resume?.length)
    return { state: 'met', text: `its conversation can be resumed: ${shownCommand(agent.resume, 4096)}` };
  if (agent || processes?.processes.some((note) => note.role === 'agent')) {
    return isDone ? DECLARED : { state: 'unknown', text: 'how to resume its conversation is not known' };
  }
  if (history?.agentSeen !== undefined)
    return { state: 'met', text: `${history.agentSeen} has ended by itself` };
  return { state: 'unmet', text: 'nothing here has finished' };
}
