import type { SessionEntry } from '../roll.ts';
import { RELIEFS, type Relief } from './standing.ts';

/** A session that pressure may take. */
export interface Candidate {
  readonly entry: SessionEntry;
  readonly relief: Relief;
  readonly restMs: number;
}

/** Which goes first: by the order of relief, then by memory really freed against what it costs to have it back. */
export function byRelief(a: Candidate, b: Candidate): number {
  return (
    RELIEFS.indexOf(a.relief) - RELIEFS.indexOf(b.relief) ||
    worth(b) - worth(a) ||
    b.restMs - a.restMs ||
    (a.entry.key < b.entry.key ? -1 : 1)
  );
}

/** An agent that has to be resumed costs a start, a reload of its conversation and its tools; a bare shell nothing much. */
const RESUME_COST = 4;
const HOUR = 3_600_000;
const MOST_RECENT_COST = 4;

// Bytes for each unit of cost: what was used a quarter of an hour ago is likelier to be wanted back than yesterday's.
function worth({ entry, restMs }: Candidate): number {
  const resume = entry.agent?.pid === undefined || entry.agent.pid === null ? 1 : RESUME_COST;
  const recent = Math.min(MOST_RECENT_COST, HOUR / Math.max(1, restMs));
  return (entry.memoryBytes ?? 0) / (resume * (1 + recent));
}
