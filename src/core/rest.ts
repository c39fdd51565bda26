import type { PaneFacts, SessionFacts } from './facts.ts';

/**
 * How long a session has rested for certain, ms. Ages on the wall clock are cut by what the machine slept and by steps
 * of the clock, and by the age of the pane's program, which no step can stretch; a disturbance seen between two looks
 * (work that left the screen as it was) starts it anew. Rest that the looks themselves saw, on the clock that stands
 * still in suspend, needs no cut. What is not known has not rested at all.
 */
export function restMs(facts: SessionFacts): number {
  const { clock } = facts;
  const unrealMs = clock ? clock.suspendedMs + clock.steppedMs : Number.POSITIVE_INFINITY;
  const rests = facts.panes.map((pane) => paneRestMs(pane, facts.now.at, unrealMs));
  return rests.length === 0 ? 0 : Math.min(...rests);
}

function paneRestMs({ pane, processes, history }: PaneFacts, at: number, unrealMs: number): number {
  if (!pane) return 0;
  const roots = processes?.processes.filter((note) => note.relation === 'root') ?? [];
  const lastOutputAt = pane.lastOutputAt ?? at;
  const wallMs = at - Math.max(lastOutputAt, ...roots.map((note) => note.startedAt));
  const seenMs = Math.min(wallMs, history?.quietMs ?? 0);
  const provenMs = Math.max(0, seenMs, wallMs - unrealMs);
  return Math.min(provenMs, history?.disturbedMs ?? provenMs);
}
