import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { succeeds } from '../../../src/core/try-or.ts';
import { playBatch, type Told, together } from './batch.ts';
import { page } from './report.ts';
import { filesIn, makeSample, RECIPES, type Sample, type SampleName, writeFiles } from './sample.ts';
import { placesOf, type Series, seriesOf } from './series.ts';

/** Cases of one process: a crash or an endless loop of SQLite costs no more than these. */
const PER_BATCH = 1500;
const BATCH_MS = 600_000;

const HELP = `Damages ledgers byte by byte, and tells what rollcall makes of it.

  npm run damage -- [--every N] [--series TEXT]

  --every N       one place of so many; 1 unless told, which takes most of an hour
  --series TEXT   only series whose name holds this text, such as 'ledger.db cut'
  --jobs N        processes at the same time; one for each core unless told
  --write         write the result into docs/DAMAGE.md
  --help

Ends with 1 where rollcall took a damaged ledger for a whole one, or lost what was still there.`;

/** Damages ledgers in every way of the plan, in processes of their own, and tells what rollcall made of it. */
export async function damage(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      /** Only one place of so many. */
      every: { type: 'string', default: '1' },
      /** Only series whose name holds this text. */
      series: { type: 'string', default: '' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      /** What a process of its own plays. */
      batch: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (values.batch !== undefined) return playOne(JSON.parse(values.batch));
  const root = mkdtempSync(join(memoryFolder(), 'rollcall-damage-'));
  try {
    const samples = await keepSamples(root);
    const every = Number(values.every);
    const chosen = seriesOf(samples).filter((one) => seriesName(one).includes(values.series));
    const results: [Series, Told][] = [];
    const startedAt = performance.now();
    for (const series of chosen) {
      const told = await playSeries(root, series, every, Number(values.jobs));
      results.push([series, told]);
      const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
      console.log(
        `${seriesName(series)}: ${told.cases} cases, ${told.violations.length} violations, ${minutes} min`,
      );
      for (const text of told.violations.slice(0, 20)) console.log(`  ✗ ${text}`);
    }
    const text = page(results, samples, every);
    console.log(text);
    if (values.write) writeFileSync('docs/DAMAGE.md', text);
    return results.some(([, { violations }]) => violations.length > 0) ? 1 : 0;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export function seriesName({ sample, file, how }: Series): string {
  return `${sample} ${file} ${how}`;
}

interface Batch {
  readonly root: string;
  readonly series: Series;
  readonly places: readonly number[];
}

async function playSeries(root: string, series: Series, every: number, jobs: number): Promise<Told> {
  const places = placesOf(series, every);
  const batches = Array.from({ length: Math.ceil(places.length / PER_BATCH) }, (_, index) =>
    places.slice(index * PER_BATCH, (index + 1) * PER_BATCH),
  ).reverse();
  const told: Told[] = [];
  const total = batches.length;
  const job = async () => {
    for (let next = batches.pop(); next !== undefined; next = batches.pop()) {
      told.push(await inOwnProcess({ root, series, places: next }));
      if (told.length % 10 === 0) console.log(`… ${seriesName(series)}: ${told.length} of ${total} parts`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, job));
  return together(told);
}

function inOwnProcess(batch: Batch): Promise<Told> {
  const file = join(batch.root, `${batch.series.sample}-${batch.series.how}-${batch.places[0]}.json`);
  writeFileSync(file, JSON.stringify(batch));
  const child = spawn(process.execPath, [process.argv[1] as string, '--batch', JSON.stringify(file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: BATCH_MS,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(JSON.parse(printed));
      const from = `${seriesName(batch.series)} from ${batch.places[0]} on`;
      const violations = [`${from}: the process ended with ${signal ?? code}`];
      resolve({ cases: batch.places.length, thorough: 0, reasons: {}, lossless: 0, violations });
    });
  });
}

async function playOne(file: string): Promise<number> {
  const { root, series, places } = JSON.parse(readFileSync(file, 'utf8')) as Batch;
  const folder = mkdtempSync(join(root, 'part-'));
  const told = await playBatch(folder, sampleIn(root, series.sample), series, places);
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(JSON.stringify(told));
  return 0;
}

/** The same bytes for every process: SQLite salts each journal anew. */
async function keepSamples(root: string): Promise<Map<SampleName, Sample>> {
  const samples = new Map<SampleName, Sample>();
  for (const name of Object.keys(RECIPES) as SampleName[]) {
    const sample = await makeSample(name, join(root, 'making'));
    writeFiles(join(root, name), sample.files);
    writeFileSync(join(root, `${name}.json`), JSON.stringify(sample.entries));
    samples.set(name, sample);
  }
  return samples;
}

function sampleIn(root: string, name: SampleName): Sample {
  const entries = JSON.parse(readFileSync(join(root, `${name}.json`), 'utf8'));
  return { name, files: filesIn(join(root, name)), entries };
}

/** In memory where there is room for that: each case writes a few files and has them synced. */
function memoryFolder(): string {
  const shared = '/dev/shm';
  return succeeds(() => accessSync(shared, constants.W_OK)) ? shared : tmpdir();
}
