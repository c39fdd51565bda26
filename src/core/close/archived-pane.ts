import type { Json, JsonObject } from '../ledger/json.ts';
import { listIn, objectIn, textIn } from '../ledger/json-values.ts';
import type { RecogniseAgent } from '../program.ts';
import { isShell, type PaneCommand, paneCommand } from './pane-command.ts';

/** A pane as an archive tells of it. */
export interface ArchivedPane {
  readonly paneId: string;
  readonly cwd: string;
  readonly isActive: boolean;
  readonly agent: JsonObject | null;
  readonly commands: readonly string[];
  readonly own: PaneCommand;
}

/** The same, read; none where it does not say which it is. `shown`: what the layout says of all panes. */
export function paneIn(
  value: Json,
  shown: readonly (JsonObject | null)[],
  recogniseAgent: RecogniseAgent,
): ArchivedPane[] {
  const pane = objectIn(value);
  const paneId = textIn(pane?.paneId);
  if (pane === null || paneId === null) return [];
  const agent = objectIn(pane.agent);
  const place = shown.find((one) => one?.paneId === paneId) ?? null;
  const own = paneCommand(paneId, pane, place, recogniseAgent);
  const running = listIn(pane.processes)
    .map(objectIn)
    .filter((note) => note !== null && note.role !== 'shell' && note.role !== 'agent');
  // What an agent runs is the agent's; what runs below the pane's own command comes back with it.
  const comesBack = agent !== null || (own.command !== null && !isShell(pane));
  return [
    {
      ...{ paneId, agent, own, isActive: pane.isActive === true },
      cwd: textIn(agent?.cwd) ?? textIn(pane.cwd) ?? '/',
      commands: comesBack ? [] : running.flatMap((note) => textIn(note?.command) ?? []),
    },
  ];
}
