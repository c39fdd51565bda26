import type { GateOwner } from '../../core/gate/contract.ts';
import type { StopOrigin } from '../../core/gate/decision.ts';
import type { AgentAdapter } from '../../ports/agent.ts';
import type { StartedProcess, StopEvent, StopProcesses } from '../../ports/gate.ts';

/** Where a stop came from, as the processes above it and the hook's environment tell. */
export function originOf(
  processes: StopProcesses,
  { sender }: Pick<StopEvent, 'sender'>,
  owner: GateOwner,
  agent: AgentAdapter,
): StopOrigin {
  const ancestors = processes.ancestors();
  const { found, isByDaemon, below } = nearest(ancestors, agent);
  const isAgent = ({ argv }: StartedProcess) => agent.recognises(argv);
  // Read off the whole machine, so only where a daemon may speak for somebody that is not above it.
  const isAsked = agent.gate?.hasDaemon === true && isByDaemon;
  return {
    serverPid: sender.tmuxServerPid ?? null,
    paneId: sender.paneId ?? null,
    ancestors: ancestors.map(({ pid, startTicks }) => ({ pid, startTicks })),
    isByDaemon,
    agent: found,
    hook: below && { argv: below.argv, stdin: processes.stdinOf(below) },
    isServerAlive: processes.isAlive(owner.server),
    isOwnerAgentAlive: processes.isAlive(owner.agent),
    agentsInPane: isAsked
      ? processes
          .below(owner.pane)
          .filter(isAgent)
          .map(({ pid, startTicks }) => ({ pid, startTicks }))
      : [],
  };
}

interface Nearest {
  readonly found: StartedProcess | null;
  readonly isByDaemon: boolean;
  /** What it started, on the way to this process; null where that is this process. */
  readonly below: StartedProcess | null;
}

// Whatever answers for itself hides who is above it: that one has only started it.
function nearest(ancestors: readonly StartedProcess[], agent: AgentAdapter): Nearest {
  for (const [index, one] of ancestors.entries()) {
    const below = ancestors[index - 1] ?? null;
    if (agent.isShared?.(one.argv)) return { found: null, isByDaemon: true, below };
    if (agent.gate?.isOther?.(one.argv)) break;
    if (agent.recognises(one.argv)) return { found: one, isByDaemon: false, below };
  }
  return { found: null, isByDaemon: false, below: null };
}
