import type { StopFacts } from '../../core/gate/decision.ts';
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
