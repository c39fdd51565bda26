import type { PaneFacts, SessionFacts } from './facts.ts';

/**
 * How long a session has rested for certain, ms. Ages on the wall clock are cut by what the machine slept and by steps
 * of the clock, and by the age of the pane's program, which no step can stretch; a disturbance seen between two looks
 * (work that left the screen as it was) starts it anew. What is not known has not rested at all.
 */
export function restMs(facts: SessionFacts): number {
  const unrealMs = (facts.clock?.suspendedMs ?? 0) + (facts.clock?.steppedMs ?? 0);
  const rests = facts.panes.map((pane) => paneRestMs(pane, facts.now.at, unrealMs));
  return rests.length === 0 ? 0 : Math.min(...rests);
}

function paneRestMs({ pane, processes, history }: PaneFacts, at: number, unrealMs: number): number {
  if (!pane) return 0;
  const starts = processes?.processes
    .filter((note) => note.relation === 'root')
    .map((note) => note.startedAt);
  const sinceOutputMs = pane.lastOutputAt === undefined ? 0 : at - pane.lastOutputAt;
  const bounds = [sinceOutputMs, ...(starts ?? []).map((startedAt) => at - startedAt)].map(
    (ms) => ms - unrealMs,
  );
  return Math.max(0, Math.min(...bounds, history?.disturbedMs ?? Number.POSITIVE_INFINITY));
}
