import type { KeptDocument, KeptPane } from '../close/kept-document.ts';
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

function withKnown(document: KeptDocument, before: KeptDocument): KeptDocument {
  const panes = document.panes.map((pane) => {
    const { agent } = pane;
    const known = agentIn(before.panes, pane.paneId);
    const earlier = known?.agent;
    if (agent == null || !earlier || agent.conversation != null || !isSame(pane, known)) return pane;
    const { conversation = null, resume = null, transcript = null } = earlier;
    return { ...pane, agent: { ...agent, conversation, resume, transcript } };
  });
  return { ...document, panes };
}

function isSame(pane: KeptPane, other: KeptPane): boolean {
  const pids = new Set(agentPidsIn(pane));
  return agentPidsIn(other).some((pid) => pids.has(pid));
}

function agentPidsIn({ processes }: KeptPane): number[] {
  return processes.flatMap(({ role, pid }) => (role === 'agent' ? (pid ?? []) : []));
}

/**
 * Whether an agent with a conversation is in the first, and none in its pane in the second. One that sleeps there is not gone:
 * its receipt has it.
 */
function isLacking(before: KeptDocument, next: KeptDocument): boolean {
  return before.panes.some(({ paneId, agent }) => {
    const isAsleep = next.panes.some((one) => one.paneId === paneId && one.activity === 'asleep');
    return paneId != null && agent?.conversation != null && agentIn(next.panes, paneId) === null && !isAsleep;
  });
}

function agentIn(panes: readonly KeptPane[], paneId: KeptPane['paneId']): KeptPane | null {
  const pane = panes.find((one) => one.paneId === paneId);
  return pane?.agent?.conversation != null ? pane : null;
}
