import { isSpokenFor } from '../memory/spoken-for.ts';
import { ending } from '../rules/dead-pane.ts';
import { shownCommand } from '../text/mask-secrets.ts';
import type { PaneFacts } from '../verdict/facts.ts';
import type { BlockerKind } from '../verdict/verdict.ts';
import { isVouchedShell } from '../verdict/vouched.ts';
import { type Answer, check, met, unknown, worstOf } from './check.ts';

/**
 * What is in each pane has ended by itself, its conversation can be brought back, or somebody declared its work done. A
 * completion does not speak for what came later or was used since, nor for a turn that ended in an error. Of plain terminals
 * it speaks only for the one that rollcall started.
 */
export const finished = check('finished-or-resumable', ({ facts }) => {
  const all = facts.panes.map((pane) =>
    isVouchedShell(facts, pane) ? DECLARED : outcome(pane, isSpokenFor(facts, pane)),
  );
  // What one pane would lose must not hide behind what another has not finished.
  const worst = worstOf(all.filter(({ kind }) => kind === 'would-lose')) ?? worstOf(all);
  return worst ?? unknown('there is no pane to look at');
});

const DECLARED: Answer = met('its work was declared complete');

function outcome(facts: PaneFacts, isDone: boolean): Answer {
  const { pane, agent, word, processes, history } = facts;
  if (pane?.asleep) return met(`its agent sleeps, receipt ${pane.asleep.receipt}`);
  if (pane?.isDead) {
    if (pane.exitStatus === 0 && pane.exitSignal === undefined) return met('its program ended with status 0');
    if (isDone) return DECLARED;
    const isToldBad = pane.exitStatus !== undefined || pane.exitSignal !== undefined;
    const state = isToldBad ? 'unmet' : 'unknown';
    return { kind: 'unfinished', state, text: `its program ended ${ending(pane)}` };
  }
  const kind = kindOf(facts);
  if (word?.hasFailed) return { kind, state: 'unmet', text: 'its last turn ended in an error' };
  if (agent?.resume?.length)
    return met(`its conversation can be resumed: ${shownCommand(agent.resume, 4096)}`);
  if (agent || processes?.processes.some((note) => note.role === 'agent')) {
    return isDone
      ? DECLARED
      : { kind, state: 'unknown', text: 'how to resume its conversation is not known' };
  }
  if (history?.agentSeen !== undefined) return met(`${history.agentSeen} has ended by itself`);
  return { kind, state: 'unmet', text: 'nothing here has finished' };
}

// Only a conversation that ends with its agent is lost: not one that can be resumed, nor one whose agent is gone already.
function kindOf({ agent, processes }: PaneFacts): BlockerKind {
  const hasAgent = processes === undefined || processes.processes.some(({ role }) => role === 'agent');
  return hasAgent && !agent?.resume?.length ? 'would-lose' : 'unfinished';
}
