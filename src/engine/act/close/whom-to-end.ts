import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { runningItself } from '../../../core/close/closing-pane.ts';
import type { ProcessNote } from '../../../core/evidence.ts';
import { processKey } from '../../../core/identity.ts';
import type { Hands } from '../hands.ts';
import { chainOf } from './ask.ts';
import type { Belongings } from './belongings.ts';

/**
 * Whom SIGTERM has to reach: the agent of each pane, or its whole process group where a launcher swallows it. Forced, also
 * everything else that runs in the panes. Never what was not listed before the first rung.
 */
export function whomToEnd(
  hands: Hands,
  panes: readonly ClosingPane[],
  isForced: boolean,
  { mayEnd }: Pick<Belongings, 'mayEnd'>,
): ProcessNote[] {
  const own = panes.filter((pane) => !pane.isShared);
  const chosen = own.flatMap((pane) => (isForced ? runningItself(pane) : agentOf(hands, pane)));
  return [...new Map(chosen.filter(mayEnd).map((note) => [processKey(note), note])).values()];
}

function agentOf(hands: Hands, pane: ClosingPane): ProcessNote[] {
  const { agent, processes } = pane;
  if (agent === null) return [];
  const exit = hands.agents.find(({ kind }) => kind === agent.agentKind)?.exit;
  if (exit?.signal !== 'group') return [agent];
  const { byPid } = hands.processes.sense();
  const group = byPid.get(agent.pid)?.pgid;
  const members = processes.filter(({ pid }) => group !== undefined && byPid.get(pid)?.pgid === group);
  return [...new Set([...chainOf(pane), ...members])];
}
