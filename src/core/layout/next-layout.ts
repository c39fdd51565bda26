import type { JsonObject } from '../ledger/json.ts';
import { listIn, numberIn, objectIn, textIn } from '../ledger/json-values.ts';
import type { Layout } from './layout.ts';

/**
 * An agent that is gone for so long has left, and its session stands without it. When a machine goes down, agents end some
 * seconds before the rest does.
 */
export const LEFT_MS = 60_000;

/**
 * What is kept from now on; null where nothing of it is new. An agent whose conversation cannot be told just now is still in
 * the one that it was in, and one that just went is still told of.
 */
export function nextLayout(before: Layout | null, seen: Layout): Layout | null {
  if (before === null) return seen;
  const next = { ...seen, document: withKnown(seen.document, before.document) };
  if (!isLacking(before.document, next.document)) return next;
  const { lackingSince } = before;
  if (lackingSince === undefined) return { ...before, lackingSince: seen.at };
  // A clock that was set back would have it wait for ever.
  return Math.abs(seen.at - lackingSince) >= LEFT_MS ? next : null;
}

function withKnown(document: JsonObject, before: JsonObject): JsonObject {
  const panes = panesIn(document).map((pane) => {
    const agent = objectIn(pane.agent);
    const known = agentIn(panesIn(before), textIn(pane.paneId));
    const earlier = objectIn(known?.agent);
    if (agent === null || !earlier || textIn(agent.conversation) !== null || !isSame(pane, known))
      return pane;
    const { conversation = null, resume = null, transcript = null } = earlier;
    return { ...pane, agent: { ...agent, conversation, resume, transcript } };
  });
  return { ...document, panes };
}

function isSame(pane: JsonObject, other: JsonObject | null): boolean {
  const pids = new Set(agentPidsIn(pane));
  return other !== null && agentPidsIn(other).some((pid) => pids.has(pid));
}

function agentPidsIn(pane: JsonObject): number[] {
  return listIn(pane.processes).flatMap((one) => {
    const { role, pid } = objectIn(one) ?? {};
    return role === 'agent' ? (numberIn(pid) ?? []) : [];
  });
}

/**
 * Whether an agent with a conversation is in the first, and none in its pane in the second. One that sleeps there is not gone:
 * its receipt has it.
 */
function isLacking(before: JsonObject, next: JsonObject): boolean {
  const now = panesIn(next);
  return panesIn(before).some((pane) => {
    const paneId = textIn(pane.paneId);
    const isAsleep = now.some((one) => one.paneId === paneId && one.activity === 'asleep');
    return agentIn([pane], paneId) !== null && agentIn(now, paneId) === null && !isAsleep;
  });
}

function agentIn(panes: readonly JsonObject[], paneId: string | null): JsonObject | null {
  const pane = panes.find((one) => one.paneId === paneId);
  return pane && textIn(objectIn(pane.agent)?.conversation) !== null ? pane : null;
}

function panesIn({ panes }: JsonObject): JsonObject[] {
  return listIn(panes)
    .map(objectIn)
    .filter((pane) => pane !== null);
}
