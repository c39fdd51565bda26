import { readFileSync, writeFileSync } from 'node:fs';
import type { PlantFound } from '../planted/find-plant.ts';
import { type Tally, timesRealTime } from './hunt.ts';
import type { Scale } from './job.ts';
import { withPlants } from './planted-page.ts';
import { withResult } from './results-page.ts';

/** What many worlds together say. */
export interface Result {
  readonly seeds: number;
  readonly sessionHours: number;
  readonly steps: number;
  readonly minutesOfCore: number;
  readonly timesRealTime: number;
  readonly violations: number;
  /** Counted in the worlds, by name. */
  readonly stats: Readonly<Record<string, number>>;
}

export type WholeResult = Result & {
  readonly scale: Scale;
  readonly first: number;
  readonly minutes: number;
};

export function resultOf(tally: Tally): Result {
  return {
    seeds: tally.seeds,
    sessionHours: Math.round(tally.sessionHours),
    steps: tally.steps,
    minutesOfCore: tally.tookMs / 60_000,
    timesRealTime: timesRealTime(tally),
    violations: tally.broken.length,
    stats: Object.fromEntries([...tally.stats].sort(([a], [b]) => a.localeCompare(b))),
  };
}

export function resultText(result: WholeResult): string {
  const { stats } = result;
  const counted = Object.entries(stats).map(([name, count]) => `  ${name.padEnd(28)} ${number(count)}`);
  return [...counted, `${wordsOf(result)}\n`].join('\n');
}

function wordsOf({ seeds, sessionHours, timesRealTime: times, violations, minutes }: WholeResult): string {
  const size = `${number(seeds)} worlds, ${number(sessionHours)} session-hours`;
  return `${size} in ${minutes.toFixed(1)} min (${number(times)} × real time on each core): ${number(violations)} violations`;
}

const number = (value: number) => value.toLocaleString('en-US');

const PAGE = 'docs/SIMULATION.md';

/** Adds what was measured by this state of the sources to the page. */
export function writeResult(state: string, result: WholeResult): void {
  replacePart('result', (before) => withResult(before, state, result));
}

/** Tells of planted bugs on the page. */
export function writePlants(found: readonly PlantFound[]): void {
  replacePart('planted', (before) => withPlants(before, found));
}

function replacePart(name: string, linesOf: (before: string) => readonly string[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`${PAGE} has no part ${name}`);
  writeFileSync(
    PAGE,
    `${page.slice(0, from)}\n${linesOf(page.slice(from, to)).join('\n')}\n${page.slice(to)}`,
  );
}
