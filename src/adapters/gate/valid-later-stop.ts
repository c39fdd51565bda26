import { GATE_MODES } from '../../core/gate/mode.ts';
import type { LaterStop } from '../../ports/gate.ts';
import { CONTRACT_ID } from './valid-contract.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a file holds a stop as it was left. What is inside of the payload is judged by whoever reads it. */
export function isLaterStop(value: unknown): value is LaterStop {
  if (!isFields(value)) return false;
  const { name, contract, mode, latencyMs, event, origin } = value;
  return (
    typeof name === 'string' &&
    typeof contract === 'string' &&
    CONTRACT_ID.test(contract) &&
    GATE_MODES.some((one) => one === mode) &&
    (latencyMs === null || typeof latencyMs === 'number') &&
    isEvent(event) &&
    isOrigin(origin)
  );
}

function isEvent(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { agentKind, event, sender, payload } = value;
  const isNamed = typeof agentKind === 'string' && typeof event === 'string';
  return isNamed && isFields(sender) && (payload === null || isFields(payload));
}

function isOrigin(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { ancestors, agentsInPane, agent, hook } = value;
  const isKnown = ['isByDaemon', 'isServerAlive', 'isOwnerAgentAlive'].every(
    (key) => typeof value[key] === 'boolean',
  );
  return isKnown && isMarks(ancestors) && isMarks(agentsInPane) && isStarted(agent) && isStarted(hook);
}

function isMarks(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isFields(one) && typeof one.pid === 'number');
}

function isStarted(value: unknown): boolean {
  if (value === null) return true;
  return isFields(value) && Array.isArray(value.argv) && value.argv.every((word) => typeof word === 'string');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
