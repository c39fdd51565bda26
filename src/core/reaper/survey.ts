import type { SessionEntry } from '../roll.ts';
import type { ReaperMemory } from './memory.ts';
import { byRelief, type Candidate } from './rank.ts';
import { type Judgement, judgeRelief, type ReapView } from './relief.ts';

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
