import { shownCommand } from '../text/mask-secrets.ts';
import { named } from '../verdict/evidence.ts';
import type { ClosingPane } from './closing-pane.ts';
import type { KeptDocument, KeptProcess } from './kept-document.ts';
import type { RungReport, Survivor } from './receipt.ts';

/** An agent as a close found it: every process that is one, and how its conversation comes back. */
export interface FoundAgent {
  readonly paneId: string;
  readonly processes: readonly Survivor[];
  readonly resume: readonly string[] | null;
  /** Its session goes with it: it is the program of the only pane. */
  readonly isAll: boolean;
}

/** The agents that a close is about. What lives on in another session is not among them. */
export function agentsOf(panes: readonly ClosingPane[]): FoundAgent[] {
  return panes.flatMap(({ paneId, pid, agent, launchers, isShared, told }) => {
    if (agent === null || isShared) return [];
    const isAll = panes.length === 1 && [agent, ...launchers].some((one) => one.pid === pid);
    return [
      { paneId, processes: [plainly(agent)], resume: told?.resume?.length ? told.resume : null, isAll },
    ];
  });
}

/** The agents that an archive tells of in these panes. */
export function agentsIn({ panes }: KeptDocument, paneIds: readonly string[]): FoundAgent[] {
  return panes.flatMap(({ paneId, agent, ...pane }) => {
    if (paneId == null || agent == null || !paneIds.includes(paneId)) return [];
    const processes = pane.processes.flatMap(agentProcess);
    const isAll = panes.length === 1 && processes.some(({ pid }) => pid === pane.pid);
    return processes.length === 0 ? [] : [{ paneId, processes, resume: agent.resume ?? null, isAll }];
  });
}

function agentProcess({ pid, startTicks, program, role, relation }: KeptProcess): Survivor[] {
  const isAgent = role === 'agent' && relation !== 'outside';
  if (!isAgent || pid == null || startTicks == null) return [];
  return [{ pid, startTicks, program: program ?? '?' }];
}

/** A process as receipts tell of it, without whatever else is known of it. */
export function plainly({ pid, startTicks, program }: Survivor): Survivor {
  return { pid, startTicks, program };
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

/** Who was asked to leave, or may have been, and may still do so. */
export function leavingNotes(agents: readonly FoundAgent[]): string[] {
  return agents.map(({ paneId, processes }) => {
    return `in pane ${paneId} ${processes.map(named).join(', ')} still runs, and may leave if it was asked to`;
  });
}
