import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Story } from '../story/story.ts';
import type { Crew } from './crew.ts';
import type { Violation } from './outcome.ts';
import { tell } from './tell.ts';

/** A story that breaks a law, as it is told. */
export interface Found {
  readonly story: Story;
  readonly violation: Violation;
  readonly lines: readonly string[];
  /** How often it was played until it was so short. */
  readonly runs: number;
  /** Where it is kept; null where it is as its seed makes it. */
  readonly file: string | null;
}

/** Shorter is better, but somebody waits for it. */
const BOUNDS = { mostRuns: 1500, mostMs: 300_000 };

/** The shortest story found that breaks the same law. */
export async function shortest(
  crew: Pick<Crew, 'do'>,
  story: Story,
  violation: Violation,
  isAsItIs = false,
): Promise<Found> {
  if (isAsItIs) return { story, violation, lines: tell(story, violation), runs: 1, file: null };
  const told = await crew.do({ kind: 'shrink', story, ...BOUNDS });
  if (told.kind !== 'shrunk')
    throw new Error(`seed ${story.seed} breaks ${violation.law} once, and not again`);
  const short = told.outcome.violation;
  const file = join(tmpdir(), `rollcall-sim-${story.seed}-${short.law}.json`);
  writeFileSync(file, JSON.stringify(told.story, null, 1));
  return { story: told.story, violation: short, lines: tell(told.story, short), runs: told.runs, file };
}
