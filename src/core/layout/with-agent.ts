import type { Reopening } from '../close/reopening.ts';
import type { JsonObject } from '../ledger/json.ts';
import { listIn, objectIn } from '../ledger/json-values.ts';

/**
 * A layout in which one pane has the agent that it was started with, and its conversation. A look may have come before the
 * agent had said which that is. Another agent than that in the pane stays what it is.
 */
export function withAgent(
  document: JsonObject,
  paneId: string,
  { agent, argv }: Pick<Reopening, 'agent' | 'argv'>,
): JsonObject {
  const panes = listIn(document.panes).map((value) => {
    const pane = objectIn(value);
    const seen = objectIn(pane?.agent);
    const isOther = seen !== null && seen.kind !== agent?.kind;
    if (pane === null || pane.paneId !== paneId || agent === null || isOther) return value;
    return { ...pane, agent: { ...seen, ...agent, resume: argv && [...argv] } };
  });
  return { ...document, panes };
}
