import type { SessionEntry } from '../sight/roll.ts';
import type { ReaperMemory } from './memory.ts';
import { type Judgement, judgeRelief, type ReapView } from './relief.ts';
import { RELIEFS, type Relief } from './standing.ts';

/** A session that pressure may take. */
interface Candidate {
  readonly entry: SessionEntry;
  readonly relief: Relief;
  readonly restMs: number;
}

/** Which goes first: by the order of relief, then by memory really freed against what it costs to have it back. */
function byRelief(a: Candidate, b: Candidate): number {
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

/** A session with what the reaper thinks of it, leaving aside how long it was watched. */
export interface Surveyed {
  readonly entry: SessionEntry;
  readonly judgement: Judgement;
}

/** All sessions, and those that may go, the first of them first. */
export interface Survey {
  readonly all: readonly Surveyed[];
  readonly candidates: readonly Candidate[];
}

/** Judges every session of the roll. What shadow has named already is no candidate any more. */
export function survey(
  sessions: readonly SessionEntry[],
  view: Omit<ReapView, 'isExamined'>,
  { named }: Pick<ReaperMemory, 'named'>,
  /** Those that a thorough look was taken at. */
  examined: ReadonlySet<string> = new Set(),
): Survey {
  const all = sessions.map((entry) => ({
    entry,
    judgement: judgeRelief(entry, { ...view, isExamined: examined.has(entry.key) }),
  }));
  const candidates = all.flatMap(({ entry, judgement }): Candidate[] =>
    judgement.relief === null || named.has(entry.key)
      ? []
      : [{ entry, relief: judgement.relief, restMs: judgement.restMs }],
  );
  return { all, candidates: candidates.sort(byRelief) };
}
