import { unrealMs } from '../text/elapsed.ts';
import type { PaneFacts, VerdictFacts } from './facts.ts';

/**
 * How long a session has rested for certain, ms. Ages on the wall clock are cut by what the machine slept and by steps
 * of the clock, and by the age of the pane's program, which no step can stretch; a disturbance seen between two looks
 * (work that left the screen as it was) starts it anew. Rest that the looks themselves saw, on the clock that stands
 * still in suspend, needs no cut. What is not known has not rested at all.
 */
export function restMs(facts: VerdictFacts): number {
  const rests = facts.panes.map((pane) => paneRestMs(pane, facts));
  return rests.length === 0 ? 0 : Math.min(...rests);
}

function paneRestMs({ pane, processes, history }: PaneFacts, { clock, now: { at } }: VerdictFacts): number {
  if (!pane) return 0;
  const roots = processes?.processes.filter((note) => note.relation === 'root') ?? [];
  const lastOutputAt = pane.lastOutputAt ?? at;
  const wallMs = at - Math.max(lastOutputAt, ...roots.map((note) => note.startedAt));
  // A clock that went back puts the last output into the future for as long as it likes: it limits nothing then.
  const limitMs = clock && clock.steppedMs > 0 ? Number.POSITIVE_INFINITY : wallMs;
  const seenMs = Math.min(limitMs, history?.quietMs ?? 0);
  const provenMs = Math.max(0, seenMs, wallMs - unrealMs(clock));
  return Math.min(provenMs, history?.disturbedMs ?? provenMs);
}
