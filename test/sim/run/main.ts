import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { tryOr } from '../../../src/core/try-or.ts';
import { findPlant, isFound, type PlantFound, plantText, provokePlant } from '../planted/find-plant.ts';
import type { Plant } from '../planted/plant.ts';
import { PLANTS } from '../planted/plants.ts';
import type { Story } from '../story/story.ts';
import { type Crew, createCrew } from './crew.ts';
import { hunt, newTally } from './hunt.ts';
import type { Scale } from './job.ts';
import { watchProgress } from './progress.ts';
import { resultOf, resultText, writePlants, writeResult } from './report.ts';
import { type Found, shortest } from './shortest.ts';
import { tell } from './tell.ts';

const HELP = `Plays simulated worlds in which everything goes wrong, and looks whether rollcall ever closes work.

  npm run sim -- [--seeds N] [--hours H] [--sessions N] [--first S | --seed S | --story FILE]
  npm run sim -- --planted [NAME…]

  --seeds N      how many worlds; 100 unless told
  --hours H      how long each lasts; 24 unless told
  --sessions N   how many sessions each has at its beginning; 25 unless told
  --first S      the seed of the first world; 1 unless told
  --seed S       only this one
  --story FILE   one that was kept as a file
  --workers N    processes at the same time; one for each core unless told
  --keep-going   also after a law was broken
  --no-shrink    tell the story as it was made
  --planted      breaks rollcall on purpose, in one place after the other, and looks whether that is found
  --provoked     the same in one short story for each, made for it
  --write        add the result to docs/SIMULATION.md
  --json         one document instead of text
  --help

Stops at the first law that is broken, and tells the shortest story found that breaks it. One seed and one state of the
sources give one hash. Ends with 0 where every law holds, with 1 where one is broken, with 2 where it could not be played.
`;

/** A planted bug, or none, bundled with what plays stories; gives the file. */
export type Bundle = (plant: Plant | null) => Promise<string>;

/** Plays worlds as the arguments say; the exit code. */
export async function sim(argv: readonly string[], bundle: Bundle): Promise<number> {
  const options = optionsOf(argv);
  if (typeof options === 'string') return say(process.stderr, `${options}\n`, 2);
  const { values, workers } = options;
  if (values.help) return say(process.stdout, HELP, 0);
  try {
    if (values.planted) return await plantAll(options, bundle);
    const file = await bundle(null);
    const crew = createCrew(file, workers);
    try {
      return values.story === undefined
        ? await play(crew, options, file)
        : await replay(crew, options, values.story);
    } finally {
      crew.end();
    }
  } catch (error) {
    return say(process.stderr, `${error instanceof Error ? error.message : String(error)}\n`, 2);
  }
}

type Options = Exclude<ReturnType<typeof optionsOf>, string>;

function optionsOf(argv: readonly string[]) {
  const parsed = tryOr(null, () => parse(argv));
  if (parsed === null) return 'no such option; --help lists them';
  const { values, positionals: names } = parsed;
  const [seeds, hours, sessions, first, workers] = [
    ...[
      values.seeds ?? (values.planted ? PLANTED.seeds : 100),
      values.hours ?? (values.planted ? PLANTED.hours : 24),
    ],
    ...[values.sessions ?? (values.planted ? PLANTED.sessions : 25), values.seed ?? values.first ?? 1],
    values.workers ?? availableParallelism(),
  ].map(Number) as [number, number, number, number, number];
  if (![seeds, sessions, workers].every((one) => Number.isSafeInteger(one) && one > 0) || !(hours > 0))
    return '--seeds, --hours, --sessions and --workers take numbers above 0';
  if (!Number.isSafeInteger(first) || first < 0) return '--seed and --first take whole numbers';
  if (names.length > 0 && !values.planted) return `what is ${names.join(' ')}?`;
  const scale: Scale = { sessions, hours };
  return { values, names, scale, first, workers, seeds: values.seed === undefined ? seeds : 1 };
}

/** Planted bugs are looked for in smaller worlds. */
const PLANTED = { seeds: 200, hours: 3, sessions: 6 };

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      ...{ seeds: { type: 'string' }, hours: { type: 'string' }, sessions: { type: 'string' } },
      ...{ first: { type: 'string' }, seed: { type: 'string' }, story: { type: 'string' } },
      ...{ workers: { type: 'string' }, 'keep-going': { type: 'boolean' }, 'no-shrink': { type: 'boolean' } },
      ...{
        planted: { type: 'boolean' },
        provoked: { type: 'boolean' },
        write: { type: 'boolean' },
        json: { type: 'boolean' },
      },
      ...{ help: { type: 'boolean' } },
    },
  });
}

function say(to: NodeJS.WriteStream, text: string, code: number): number {
  to.write(text);
  return code;
}

async function play(crew: Crew, options: Options, file: string): Promise<number> {
  const { values, seeds, first, scale } = options;
  const tally = newTally();
  const startedAt = performance.now();
  const stopProgress = watchProgress(tally, seeds);
  try {
    await hunt(crew, { first, seeds, scale, keepGoing: values['keep-going'] === true }, tally);
  } finally {
    stopProgress();
  }
  const result = { ...resultOf(tally), scale, first, minutes: (performance.now() - startedAt) / 60_000 };
  const found: Found[] = [];
  for (const { story, violation } of tally.broken.slice(0, values['keep-going'] ? 10 : 1)) {
    if (violation === null) continue;
    found.push(await shortest(crew, story, violation, values['no-shrink'] === true));
  }
  if (values.json) say(process.stdout, `${JSON.stringify({ ...result, found })}\n`, 0);
  else {
    for (const one of found) say(process.stdout, `${textOf(one, scale)}\n`, 0);
    say(process.stdout, resultText(result), 0);
  }
  if (values.write) writeResult(stateOf(dirname(file)), result);
  return tally.broken.length === 0 ? 0 : 1;
}

/** Names a state of the sources, by all that is bundled of them. */
function stateOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 8);
}

async function replay(crew: Crew, { values, scale }: Options, file: string): Promise<number> {
  const story = JSON.parse(readFileSync(file, 'utf8')) as Story;
  const told = await crew.do({ kind: 'shrink', story, mostRuns: 1, mostMs: 0 });
  if (told.kind !== 'shrunk') return say(process.stdout, 'this story breaks no law\n', 0);
  const { violation } = told.outcome;
  const found: Found = { story, violation, lines: tell(story, violation), runs: 1, file };
  return say(process.stdout, values.json ? `${JSON.stringify(found)}\n` : textOf(found, scale), 1);
}

async function plantAll({ names, scale, seeds, workers, values }: Options, bundle: Bundle): Promise<number> {
  const unknown = names.find((name) => !PLANTS.some((plant) => plant.name === name));
  if (unknown !== undefined) return say(process.stderr, `there is no planted bug ${unknown}\n`, 2);
  const chosen = PLANTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const found: PlantFound[] = [];
  for (const plant of chosen) {
    const crew = createCrew(await bundle(plant), workers);
    try {
      found.push(
        values.provoked ? await provokePlant(crew, plant) : await findPlant(crew, plant, { scale, seeds }),
      );
    } finally {
      crew.end();
    }
    const last = found.at(-1) as PlantFound;
    if (!values.json) say(process.stdout, plantText(last, names.length > 0), 0);
    // One that takes its time is not waited for: what was found before stays, however it ends.
    if (values.write) writePlants([last]);
  }
  if (values.json) say(process.stdout, `${JSON.stringify(found)}\n`, 0);
  return found.every(isFound) ? 0 : 1;
}

function textOf({ lines, story, file, runs }: Found, { hours, sessions }: Scale): string {
  const again = `npm run sim -- --seed ${story.seed} --hours ${hours} --sessions ${sessions}`;
  const short = file === null ? '' : `the short story again: npm run sim -- --story ${file}\n`;
  return `${lines.join('\n')}\n\nshrunk in ${runs} runs; all of it again: ${again}\n${short}`;
}

// For scripts/sim.mjs, which bundles.
export { planting } from '../planted/planting.ts';
