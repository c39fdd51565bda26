import { isHookOf } from '../agent/hook-command.ts';
import { isSameProcess, type ProcessMark } from '../sight/identity.ts';
import type { GateOwner } from './contract.ts';
import type { HookProcess, StopFacts, StopOrigin, StopReason } from './decision.ts';
import { isStamped } from './early.ts';

/** What has to be known of a kind of agent to tell whose stop it is. */
export interface OwnerAgent {
  /** Its hooks may come from a daemon outside of the pane. */
  readonly hasDaemon: boolean;
  /** The conversation that a command line takes up again, as itself and not as a fork. */
  resumes(argv: readonly string[]): string | null;
  /** Whether what runs directly below the agent is its hook, and nothing else that it started. */
  isOwnHook(hook: HookProcess | null): boolean;
}

/** Whether a stop is the owner's. */
export type Ownership =
  | {
      readonly state: 'proven';
      /** Stamped anew where the agent was restarted. */
      readonly owner: GateOwner;
      readonly isReconciled: boolean;
    }
  | NotTheOwner;

interface NotTheOwner {
  readonly state: 'not';
  readonly reason: StopReason;
  readonly text: string;
}

/**
 * Whether a stop comes from the agent, in the pane and conversation that the work was stamped with. A restart of the agent
 * is reconciled on a proven match only; everything else that is not the same, or not known, is somebody else. So is a
 * script below the agent that calls the hook: only the agent itself knows that it stops.
 */
export function proveOwner(
  owner: GateOwner,
  stop: StopFacts,
  origin: StopOrigin,
  agent: OwnerAgent,
): Ownership {
  const found = ownerBy(owner, stop, origin, agent);
  if (found.state === 'not' || agent.isOwnHook(origin.hook)) return found;
  return not('not-its-hook', 'something that runs below the agent called the hook, not the agent itself');
}

function ownerBy(owner: GateOwner, stop: StopFacts, origin: StopOrigin, agent: OwnerAgent): Ownership {
  const stranger = unlike(owner, stop);
  if (stranger) return stranger;
  const isByDaemon = agent.hasDaemon && origin.isByDaemon;
  const elsewhere = isByDaemon ? null : placeOf(owner, origin);
  if (elsewhere) return elsewhere;
  const isSame = stop.conversation === owner.conversation;
  if (isSameProcess(origin.agent, owner.agent) || (isByDaemon && origin.isOwnerAgentAlive)) {
    return isSame ? { state: 'proven', owner, isReconciled: false } : anotherConversation();
  }
  if (origin.isOwnerAgentAlive) {
    return origin.agent === null
      ? not('identity-unknown', 'no agent of this kind is above the hook')
      : not('another-process', 'another agent in the same pane, while the owner lives');
  }
  return restarted(owner, stop, origin, agent);
}

function unlike(owner: GateOwner, { agentKind, isSubagent, conversation }: StopFacts): NotTheOwner | null {
  if (agentKind !== owner.agent.kind) return not('another-agent', `the owner is ${owner.agent.kind}`);
  if (isSubagent) return not('subagent', 'a subagent stops, not the owner');
  if (!isStamped(owner)) return not('unstamped', 'whose work it is was never known for sure');
  if (conversation === null || conversation.trim() === '') {
    return not('identity-unknown', 'the agent does not tell its conversation');
  }
  return null;
}

// What a hook finds in its environment may be inherited from anywhere: the server has to be above it as well.
function placeOf({ server, paneId }: GateOwner, origin: StopOrigin): NotTheOwner | null {
  if (origin.serverPid === null || origin.paneId === null) {
    return not('identity-unknown', 'it runs outside of tmux');
  }
  if (origin.serverPid !== server.pid) return not('another-pane', 'it runs in another tmux server');
  const isBelow = origin.ancestors.some((one) => isSameProcess(one, server));
  if (!origin.isServerAlive || !isBelow) {
    return not('identity-unknown', 'it does not run below the tmux server of the owner');
  }
  return origin.paneId === paneId ? null : not('another-pane', `the owner is in pane ${paneId}`);
}

// The stamped process is gone. Whoever holds its conversation in its pane now is the owner; nobody is adopted.
function restarted(owner: GateOwner, stop: StopFacts, origin: StopOrigin, agent: OwnerAgent): Ownership {
  const next = origin.agent ?? (agent.hasDaemon && origin.isByDaemon ? youngest(origin.agentsInPane) : null);
  if (next === null) return not('identity-unknown', 'the owner is gone, and no agent runs in its pane');
  const conversation = String(stop.conversation);
  const argv = origin.agent?.argv ?? [];
  if (conversation !== owner.conversation && agent.resumes(argv) !== owner.conversation) {
    return anotherConversation();
  }
  const mark = { pid: next.pid, startTicks: next.startTicks, kind: owner.agent.kind };
  const pane = paneProcess(owner, origin);
  return { state: 'proven', owner: { ...owner, agent: mark, pane, conversation }, isReconciled: true };
}

// Directly below the server is what tmux started in the pane; it is another one where the pane was respawned.
function paneProcess({ server, pane }: GateOwner, { ancestors }: StopOrigin): ProcessMark {
  const above = ancestors.findIndex((one) => isSameProcess(one, server));
  const { pid, startTicks } = ancestors[above - 1] ?? pane;
  return { pid, startTicks };
}

// A launcher is older than the agent that it started.
function youngest(agents: readonly ProcessMark[]): ProcessMark | null {
  return [...agents].sort((a, b) => b.startTicks - a.startTicks)[0] ?? null;
}

function anotherConversation(): NotTheOwner {
  return not('another-conversation', 'another conversation than the one that the work belongs to');
}

function not(reason: StopReason, text: string): NotTheOwner {
  return { state: 'not', reason, text };
}

/**
 * Whether a stop comes from the hook that the agent itself started. Its tools run below it too, and what they start has its
 * environment and its conversation; but directly below the agent is their own shell then, with other words. `event`: the one
 * that ends a turn. `asksItself`: the agent asks without a hook in between.
 */
export function isOwnHook(
  hook: HookProcess | null,
  kind: string,
  { event, asksItself = false }: { readonly event: string; readonly asksItself?: boolean },
): boolean {
  if (hook === null || asksItself) return hook === null && asksItself;
  return hook.stdin !== 'other' && isHookOf(hook.argv, kind, event);
}
