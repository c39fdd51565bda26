import type { WaitingFor } from '../../../src/core/verdict/verdict.ts';
import type { SimAgent } from './agent.ts';
import type { Machine } from './machine.ts';
import type { SimProcess } from './process.ts';
import type { SimPane, SimSession } from './tmux-parts.ts';

/** What is really so in a session now, whatever anybody shows or believes. */
export interface Truth {
  /** Some agent in it has a turn that runs. */
  readonly isWorking: boolean;
  readonly waitingFor: WaitingFor | null;
  /** Something unsent stands in an input box or behind a prompt. */
  readonly hasDraft: boolean;
  /** Tasks of agents that outlive their turn. */
  readonly background: number;
  /** A shell runs a command, or a program that is no agent does. */
  readonly isBusy: boolean;
  /** People that are attached, through any session of its group. */
  readonly attached: number;
  /** By the clock of the story; null where nobody ever was. */
  readonly lastDetachedMs: number | null;
  readonly lastInputMs: number | null;
  readonly isRead: boolean;
  readonly agents: readonly SimAgent[];
  readonly conversations: readonly string[];
  readonly deadPanes: readonly SimPane[];
  /** Everything below its panes, first processes included. */
  readonly processes: readonly SimProcess[];
}

/** Tells it. */
export function truth(machine: Machine, session: SimSession): Truth {
  const panes = session.windows.flatMap((window) => window.panes);
  const living = panes.filter(({ isDead, process }) => !isDead && process.ending === null);
  const agents = [...machine.agents].filter(({ pane, isAlive }) => isAlive && panes.includes(pane));
  const clients = [...session.server.clients.values()];
  const people = clients.filter(
    ({ session: at }) => at === session || (at.group !== null && at.group === session.group),
  );
  const shells = living.flatMap((pane) => machine.shellIn(pane) ?? []);
  const agentProcesses = new Set(agents.map(({ process }) => process));
  const processes = living.flatMap(({ process }) => [process, ...machine.processes.below(process.pid)]);
  const isShellAtWork = shells.some(
    ({ standing, process }) =>
      standing === 'question' ||
      (standing === 'busy' &&
        !machine.processes.children(process.pid).some((one) => agentProcesses.has(one))),
  );
  const isPlain = living.some(({ process }) => process.program === null);
  return {
    isWorking: agents.some(({ truth: { turn, isStarting } }) => turn === 'running' || isStarting),
    waitingFor: agents.map(({ truth: { dialog } }) => dialog).find((dialog) => dialog !== null) ?? null,
    hasDraft: agents.some(({ truth: { draft } }) => draft !== '') || shells.some(({ draft }) => draft !== ''),
    background: agents.reduce((sum, { truth: { background } }) => sum + background, 0),
    isBusy: isShellAtWork || isPlain,
    attached: people.length,
    lastDetachedMs: session.lastDetachedMs,
    lastInputMs: session.lastInputMs,
    isRead: panes.some(({ modes }) => modes > 0),
    ...{ agents, processes, deadPanes: panes.filter(({ isDead }) => isDead) },
    conversations: agents.flatMap(({ truth: { conversation } }) => conversation ?? []),
  };
}
