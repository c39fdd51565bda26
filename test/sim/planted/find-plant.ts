import type { Crew } from '../run/crew.ts';
import { hunt, newTally } from '../run/hunt.ts';
import type { Scale } from '../run/job.ts';
import { watchProgress } from '../run/progress.ts';
import { type Found, shortest } from '../run/shortest.ts';
import { MOST_LINES, tell } from '../run/tell.ts';
import type { Plant } from './plant.ts';
import { PROVOKED } from './provoked.ts';

/** How a planted bug was looked for. */
export interface PlantFound {
  readonly plant: Plant;
  /** Worlds that were played. */
  readonly played: number;
  readonly seconds: number;
  readonly found: Found | null;
}

/** Plays worlds until one breaks a law, and makes its story short. */
export async function findPlant(
  crew: Crew,
  plant: Plant,
  { scale, seeds }: { readonly scale: Scale; readonly seeds: number },
): Promise<PlantFound> {
  const startedAt = performance.now();
  const tally = newTally();
  const stopProgress = watchProgress(tally, seeds);
  const whole = plant.isAboutTheEnd ? scale : { ...scale, calmHours: 0 };
  await hunt(crew, { first: 1, seeds, scale: whole, keepGoing: false }, tally).finally(stopProgress);
  const [first] = tally.broken;
  const found = first?.violation ? await shortest(crew, first.story, first.violation) : null;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { plant, played: first?.story.seed ?? tally.seeds, seconds, found };
}

/** Plays the one story in which the bug shows at once. */
export async function provokePlant(crew: Pick<Crew, 'do'>, plant: Plant): Promise<PlantFound> {
  const startedAt = performance.now();
  const story = PROVOKED[plant.name];
  if (story === undefined) throw new Error(`no story provokes ${plant.name}`);
  const told = await crew.do({ kind: 'shrink', story, mostRuns: 1, mostMs: 0 });
  const found =
    told.kind === 'shrunk'
      ? {
          ...{ story, violation: told.outcome.violation, runs: 1, file: null },
          lines: tell(story, told.outcome.violation),
        }
      : null;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { plant, played: 1, seconds, found };
}

/** Whether it was found by a law that it breaks, and told in so few lines that a person reads them. */
export function isFound({ plant, found }: PlantFound): boolean {
  return found !== null && plant.breaks.includes(found.violation.law) && found.lines.length <= MOST_LINES;
}

export function plantText(one: PlantFound, isWhole: boolean): string {
  const { plant, played, seconds, found } = one;
  const head = `${isFound(one) ? '✓' : '✗'} ${plant.name.padEnd(28)}`;
  if (found === null) return `${head} not found in ${played} worlds\n`;
  const line = `${head} seed ${played}, ${found.violation.law}, ${found.story.events.length} events, ${found.lines.length} lines, ${seconds} s\n`;
  return isWhole ? `${line}${found.lines.map((text) => `    ${text}`).join('\n')}\n` : line;
}
