import type { KeptDocument } from '../close/kept-document.ts';
import type { Reopening } from '../close/reopening.ts';

/**
 * A layout in which one pane has the agent that it was started with, and its conversation. A look may have come before the
 * agent had said which that is. Another agent than that in the pane stays what it is.
 */
export function withAgent(
  document: KeptDocument,
  paneId: string,
  { agent, argv }: Pick<Reopening, 'agent' | 'argv'>,
): KeptDocument {
  const panes = document.panes.map((pane) => {
    const isOther = pane.agent != null && pane.agent.kind !== agent?.kind;
    if (pane.paneId !== paneId || agent === null || isOther) return pane;
    return { ...pane, agent: { ...pane.agent, ...agent, resume: argv } };
  });
  return { ...document, panes };
}
