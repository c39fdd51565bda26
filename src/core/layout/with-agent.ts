import type { KeptDocument } from '../close/kept-document.ts';
import type { Reopening } from '../close/reopening.ts';
import type { OwnPane } from '../ledger/session-facts.ts';
import type { EndRecord } from '../memory/ended.ts';
import { shownCommand } from '../text/mask-secrets.ts';

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

/** Whether the program that a session was started with has left in order: other panes of the session may have run on. */
export function hasLeft(end: EndRecord | null, own: OwnPane | undefined): boolean {
  return end !== null && end.exitStatus === 0 && own !== undefined && end.pid === own.pid;
}

/** A layout without what left one of its panes since, and what is said of that. */
export function withoutLeft(
  document: KeptDocument,
  paneId: string,
): { readonly document: KeptDocument; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const panes = document.panes.map((pane) => {
    if (pane.paneId !== paneId) return pane;
    const { kind, resume } = pane.agent ?? {};
    const how = resume == null ? '' : `; resume it with: ${shownCommand(resume, 4096)}`;
    const what = kind ?? 'its program';
    missing.push(
      `pane ${paneId}: ${what} is not started again, because it ended with status 0 before the session went${how}`,
    );
    return { ...pane, agent: null, processes: [] };
  });
  return { document: { ...document, panes }, missing };
}
