import type { GateContract } from '../../core/gate/contract.ts';
import type { StopDecision, StopFacts, StopOrigin } from '../../core/gate/decision.ts';
import { approval, early } from '../../core/gate/early.ts';
import { effectiveMode } from '../../core/gate/effective-mode.ts';
import type { GateMode } from '../../core/gate/mode.ts';
import { isOwnHook } from '../../core/gate/own-hook.ts';
import { proveOwner } from '../../core/gate/ownership.ts';
import type { AgentAdapter, AgentGate, StopSaid } from '../../ports/agent.ts';
import type { StopEvent } from '../../ports/gate.ts';
import type { StopParts } from './parts.ts';

/** A stop event that was understood, as far as it goes. */
export interface Heard {
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
): Heard | null {
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

export type Judged =
  | { readonly state: 'approved'; readonly decision: StopDecision; readonly mode: GateMode }
  /** The proven owner: its checks decide. The contract is stamped anew where the agent was restarted. */
  | { readonly state: 'owner'; readonly contract: GateContract; readonly mode: GateMode };

/** A clock that was set back further would make a contract last for ever. */
const CLOCK_SLACK_MS = 60_000;

/** Whose stop it is, by what holds at this moment. */
export function judgeStop(
  { store, now }: Pick<StopParts, 'store' | 'now'>,
  { said, stop, gate }: Heard,
  contract: GateContract | null,
  origin: StopOrigin | null,
): Judged {
  const mode = effectiveMode(store.modes(), contract?.project ?? null);
  const at = now();
  if (said === null) {
    return {
      state: 'approved',
      decision: approval('payload-unreadable', 'its event is not understood'),
      mode,
    };
  }
  const soon = early(contract, { mode, switch: store.switch(), now: at });
  if (soon !== null) return { state: 'approved', decision: soon, mode };
  if (contract !== null && at < contract.startedAt - CLOCK_SLACK_MS) {
    const text = 'the clock stands before the beginning of the work';
    return { state: 'approved', decision: approval('failed', text), mode };
  }
  if (contract === null || origin === null) {
    return { state: 'approved', decision: approval('failed', 'its contract went away'), mode };
  }
  const proven = proveOwner(contract.owner, stop, origin, {
    hasDaemon: gate.hasDaemon,
    isOwnHook: (hook) => isOwnHook(hook, stop.agentKind, gate),
    resumes(argv) {
      const resumed = gate.resumes(argv);
      return resumed !== null && gate.continues?.(said, resumed) ? resumed : null;
    },
  });
  if (proven.state === 'not') {
    return { state: 'approved', decision: approval(proven.reason, proven.text), mode };
  }
  // Whoever says stop is obeyed.
  if (gate.isInterrupted?.(said)) {
    return { state: 'approved', decision: approval('interrupted', 'its user has interrupted it'), mode };
  }
  const owner = {
    ...proven.owner,
    ...(said.transcript !== null && { transcript: said.transcript }),
    stampedAt: proven.isReconciled ? at : contract.owner.stampedAt,
  };
  return { state: 'owner', contract: { ...contract, owner }, mode };
}
