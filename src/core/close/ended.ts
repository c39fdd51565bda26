import type { JsonObject } from '../ledger/json.ts';
import { listIn, numberIn, objectIn, textIn, wordsIn } from '../ledger/json-values.ts';
import { shownCommand } from '../text/mask-secrets.ts';
import type { ClosingPane } from './closing-pane.ts';
import { named } from './ladder.ts';
import type { RungReport, Survivor } from './receipt.ts';

/** An agent as a close found it: every process that is one, and how its conversation comes back. */
export interface FoundAgent {
  readonly paneId: string;
  readonly processes: readonly Survivor[];
  readonly resume: readonly string[] | null;
}

/** The agents that a close is about. What lives on in another session is not among them. */
export function agentsOf(panes: readonly ClosingPane[]): FoundAgent[] {
  return panes.flatMap(({ paneId, agent, isShared, told }) =>
    agent === null || isShared ? [] : [{ paneId, processes: [markOf(agent)], resume: orNull(told?.resume) }],
  );
}

/** The same from what was archived, in these panes. */
export function agentsIn(document: JsonObject, paneIds: readonly string[]): FoundAgent[] {
  return listIn(document.panes).flatMap((value) => {
    const pane = objectIn(value);
    const [paneId, agent] = [textIn(pane?.paneId), objectIn(pane?.agent)];
    if (paneId === null || agent === null || !paneIds.includes(paneId)) return [];
    const processes = listIn(pane?.processes).flatMap((one) => agentProcess(objectIn(one)));
    return processes.length === 0 ? [] : [{ paneId, processes, resume: orNull(wordsIn(agent.resume)) }];
  });
}

function agentProcess(note: JsonObject | null): Survivor[] {
  const [pid, startTicks] = [numberIn(note?.pid), numberIn(note?.startTicks)];
  const isAgent = note?.role === 'agent' && note.relation !== 'outside';
  if (!isAgent || pid === null || startTicks === null) return [];
  return [{ pid, startTicks, program: textIn(note.program) ?? '?' }];
}

function markOf({ pid, startTicks, program }: Survivor): Survivor {
  return { pid, startTicks, program };
}

function orNull(argv: readonly string[] | null | undefined): readonly string[] | null {
  return argv == null || argv.length === 0 ? null : argv;
}

/** Whether any rung did something that ends processes. What ended without that ended by itself. */
export function didEnd(rungs: readonly Pick<RungReport, 'rung' | 'result'>[]): boolean {
  return rungs.some(({ rung, result }) => ENDING.has(rung) && result !== 'skipped');
}

const ENDING: ReadonlySet<RungReport['rung']> = new Set(['ask', 'terminate', 'kill']);

/** Who has ended, for the notes of a receipt. */
export function endedNotes(agents: readonly FoundAgent[], others: readonly Survivor[] = []): string[] {
  return [
    ...agents.map(({ paneId, processes, resume }) => {
      const how = resume === null ? '' : `; its conversation: ${shownCommand(resume, 4096)}`;
      return `ended in pane ${paneId}: ${processes.map(named).join(', ')}${how}`;
    }),
    ...(others.length > 0 ? [`ended too: ${others.map(named).join(', ')}`] : []),
  ];
}
