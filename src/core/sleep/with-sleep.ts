import type { KeptAgent, KeptDocument } from '../close/kept-document.ts';

/** An agent that sleeps, by the archive that was written when it fell asleep. */
export interface KeptSleep {
  readonly receipt: string;
  readonly paneId: string;
  readonly document: KeptDocument;
}

/**
 * The document of a session with the agent that sleeps in one of its panes; null where the archive has no such agent. A pane in
 * which somebody started another agent has that one.
 */
export function withSleep(
  document: KeptDocument,
  { paneId, document: before }: KeptSleep,
): KeptDocument | null {
  const agent = agentIn(before, paneId);
  if (agent === null) return null;
  const panes = document.panes.map((pane) =>
    pane.paneId === paneId && pane.agent == null ? { ...pane, agent, processes: [] } : pane,
  );
  return { ...document, agent: document.agent ?? before.agent ?? null, panes };
}

/**
 * A session as it was seen while an agent sleeps in it, with that agent in its pane. It comes first, whatever else was started
 * there since: that is told of in a pane of its own. Null where nobody saw its pane, or the archive has no such agent.
 */
export function seenAsleep(
  document: KeptDocument,
  { paneId, document: before }: KeptSleep,
): KeptDocument | null {
  const agent = agentIn(before, paneId);
  const { panes } = document;
  const pane = panes.find((one) => one.paneId === paneId);
  if (agent === null || pane === undefined) return null;
  const isOther = pane.agent != null && pane.agent.conversation !== agent.conversation;
  const slept = panes.map((one) => (one === pane ? { ...pane, agent, processes: [] } : one));
  return { ...document, panes: [...slept, ...(isOther ? [pane] : [])] };
}

// One that was made again asleep was archived in another session, whose panes had other ids; which agent it is, the archive says.
function agentIn({ panes, agent }: KeptDocument, paneId: string): KeptAgent | null {
  const able = panes.filter((pane) => pane.agent != null);
  const { conversation } = agent ?? {};
  const told =
    conversation == null ? undefined : able.find((pane) => pane.agent?.conversation === conversation);
  const [first, ...more] = able;
  const only = more.length === 0 ? first : able.find((pane) => pane.paneId === paneId);
  return (told ?? only)?.agent ?? null;
}
