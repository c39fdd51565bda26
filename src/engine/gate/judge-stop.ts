import type { GateContract, GateOwner } from '../../core/gate/contract.ts';
import type { StopDecision, StopFacts, StopOrigin } from '../../core/gate/decision.ts';
import { approval, early } from '../../core/gate/early.ts';
import { effectiveMode, type GateMode } from '../../core/gate/mode.ts';
import { isOwnHook, proveOwner } from '../../core/gate/ownership.ts';
import type { AgentAdapter, AgentGate, StopSaid } from '../../ports/agent.ts';
import type { StartedProcess, StopEvent, StopProcesses } from '../../ports/gate.ts';
import type { StopParts } from './parts.ts';

/** A stop event that was understood, as far as it goes. */
export interface HeardStop {
  readonly name: string;
  readonly event: StopEvent;
  readonly agent: AgentAdapter;
  readonly gate: AgentGate;
  readonly said: StopSaid | null;
  readonly stop: StopFacts;
}

/** Null where nobody is told who or what stops. */
export function hearStop(
  parts: Pick<StopParts, 'readStop' | 'agents' | 'digest'>,
  name: string,
): HeardStop | null {
  const event = parts.readStop(name);
  const agent = parts.agents.find(({ kind }) => kind === event?.agentKind);
  const gate = agent?.gate;
  if (event === null || agent === undefined || gate === undefined) return null;
  const said = event.event === gate.event ? gate.read(event.payload) : null;
  const stop: StopFacts = {
    agentKind: event.agentKind,
    conversation: said?.conversation ?? null,
    isSubagent: said?.isSubagent ?? false,
    isContinued: said?.isContinued ?? false,
    digest: parts.digest(JSON.stringify(event.payload)),
  };
  return { name, event, agent, gate, said, stop };
}

export type JudgedStop =
  | { readonly state: 'approved'; readonly decision: StopDecision; readonly mode: GateMode }
  /** The proven owner: its checks decide. The contract is stamped anew where the agent was restarted. */
  | { readonly state: 'owner'; readonly contract: GateContract; readonly mode: GateMode };

/** A clock that was set back further would make a contract last for ever. */
const CLOCK_SLACK_MS = 60_000;

/** Whose stop it is, by what holds at this moment. */
export function judgeStop(
  { store, now }: Pick<StopParts, 'store' | 'now'>,
  { said, stop, gate }: HeardStop,
  contract: GateContract | null,
  origin: StopOrigin | null,
): JudgedStop {
  const mode = effectiveMode(store.modes(), contract?.project ?? null);
  const at = now();
  const approve = (...why: Parameters<typeof approval>): JudgedStop => ({
    ...{ state: 'approved', decision: approval(...why), mode },
  });
  if (said === null) return approve('payload-unreadable', 'its event is not understood');
  const soon = early(contract, { mode, switch: store.switch(), now: at });
  if (soon !== null) return { state: 'approved', decision: soon, mode };
  if (contract !== null && at < contract.startedAt - CLOCK_SLACK_MS) {
    return approve('failed', 'the clock stands before the beginning of the work');
  }
  if (contract === null || origin === null) return approve('failed', 'its contract went away');
  const proven = proveOwner(contract.owner, stop, origin, {
    hasDaemon: gate.hasDaemon,
    isOwnHook: (hook) => isOwnHook(hook, stop.agentKind, gate),
    resumes(argv) {
      const resumed = gate.resumes(argv);
      return resumed !== null && gate.continues?.(said, resumed) ? resumed : null;
    },
  });
  if (proven.state === 'not') return approve(proven.reason, proven.text);
  // Whoever says stop is obeyed.
  if (gate.isInterrupted?.(said)) return approve('interrupted', 'its user has interrupted it');
  const owner = {
    ...proven.owner,
    ...(said.transcript !== null && { transcript: said.transcript }),
    stampedAt: proven.isReconciled ? at : contract.owner.stampedAt,
  };
  return { state: 'owner', contract: { ...contract, owner }, mode };
}

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

// Whatever answers for itself hides who is above it: that one has only started it. `below`: what the found one started, on the
// way to this process; null where that is this process.
function nearest(ancestors: readonly StartedProcess[], agent: AgentAdapter) {
  for (const [index, one] of ancestors.entries()) {
    const below = ancestors[index - 1] ?? null;
    if (agent.isShared?.(one.argv)) return { found: null, isByDaemon: true, below };
    if (agent.gate?.isOther?.(one.argv)) break;
    if (agent.recognises(one.argv)) return { found: one, isByDaemon: false, below };
  }
  return { found: null, isByDaemon: false, below: null };
}
