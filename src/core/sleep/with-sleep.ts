import type { Json, JsonObject } from '../ledger/json.ts';
import { listIn, objectIn, textIn } from '../ledger/json-values.ts';

/** An agent that sleeps, by the archive that was written when it fell asleep. */
export interface KeptSleep {
  readonly receipt: string;
  readonly paneId: string;
  readonly document: JsonObject;
}

/**
 * The document of a session with the agent that sleeps in one of its panes; null where the archive has no such agent. A pane in
 * which somebody started another agent has that one.
 */
export function withSleep(document: JsonObject, { paneId, document: before }: KeptSleep): JsonObject | null {
  const agent = agentIn(before, paneId);
  if (agent === null) return null;
  const panes = listIn(document.panes).map((value): Json => {
    const pane = objectIn(value);
    const isIt = pane?.paneId === paneId && objectIn(pane.agent) === null;
    return isIt ? { ...pane, agent, processes: [] } : value;
  });
  return { ...document, agent: document.agent ?? before.agent ?? null, panes };
}

/**
 * A session as it was seen while an agent sleeps in it, with that agent in its pane. It comes first, whatever else was started
 * there since: that is told of in a pane of its own. Null where nobody saw its pane, or the archive has no such agent.
 */
export function seenAsleep(document: JsonObject, { paneId, document: before }: KeptSleep): JsonObject | null {
  const agent = agentIn(before, paneId);
  const panes = listIn(document.panes);
  const pane = panes.map(objectIn).find((one) => one?.paneId === paneId);
  if (agent === null || pane === undefined || pane === null) return null;
  const other = objectIn(pane.agent);
  const isOther = other !== null && other.conversation !== agent.conversation;
  const slept = panes.map((one) => (one === pane ? { ...pane, agent, processes: [] } : one));
  return { ...document, panes: [...slept, ...(isOther ? [pane] : [])] };
}

// One that was made again asleep was archived in another session, whose panes had other ids; which agent it is, the archive says.
function agentIn({ panes, agent }: JsonObject, paneId: string): JsonObject | null {
  const able = listIn(panes)
    .map(objectIn)
    .filter((pane) => objectIn(pane?.agent) !== null);
  const conversation = textIn(objectIn(agent)?.conversation);
  const told =
    conversation === null
      ? undefined
      : able.find((pane) => objectIn(pane?.agent)?.conversation === conversation);
  const [first = null, ...more] = able;
  const only = more.length === 0 ? first : able.find((pane) => pane?.paneId === paneId);
  return objectIn((told ?? only)?.agent);
}
