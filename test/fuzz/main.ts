import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startCpuClock } from './cpu-clock.ts';
import { hardKinds } from './linear.ts';
import { TARGETS } from './registry.ts';
import type { Target } from './target.ts';
import type { Job, Told } from './work.ts';
import './work.ts';

const HELP = `Feeds every parser with damaged inputs.

  npm run fuzz -- --seconds N [--target NAME] [--seed WORD]

  --seconds N     how long in all; 60 unless told
  --target NAME   one target, or all whose names begin so
  --seed WORD     other inputs; a word decides all of them
  --index N       one input by its number, as a failure prints it
  --linear        only the check of linear time on inputs of 10 MB
  --no-linear     without it
  --list          what is fuzzed
  --help

Ends with 1 where something is wrong, and prints the smallest input found and how to have it again.
`;

/** One input, or one size of a kind, may take so much processor time before it counts as one that never ends. */
const MUTATED_MS = 20_000;
const LINEAR_MS = 120_000;
const WAITS = 20;
/** The check of linear time gets at most this part of the time. */
const LINEAR_PART = 0.5;

interface Options {
  readonly seed: string;
  readonly seconds: number;
}

/** Fuzzes for a while; the exit code. */
export async function fuzz(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...{ seconds: { type: 'string', default: '60' }, target: { type: 'string', default: '' } },
      ...{ seed: { type: 'string', default: '1' }, index: { type: 'string' } },
      ...{ linear: { type: 'boolean', default: false }, 'no-linear': { type: 'boolean', default: false } },
      ...{ list: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    },
  });
  if (values.help) return print(HELP, 0);
  const exact = TARGETS.filter(({ name }) => name === values.target);
  const chosen =
    exact.length > 0 ? exact : TARGETS.filter(({ name }) => name.startsWith(String(values.target)));
  if (chosen.length === 0) return print(`there is no target ${values.target}; --list names them\n`, 2);
  if (values.list) return print(listOf(chosen), 0);
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) return print('--seconds takes a number above 0\n', 2);
  const options: Options = { seed: String(values.seed), seconds };
  if (values.index !== undefined) return (await replay(chosen, options, Number(values.index))) ? 0 : 1;
  return (await all(chosen, options, { isOnly: values.linear === true, isOff: values['no-linear'] === true }))
    ? 0
    : 1;
}

function print(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

function listOf(targets: readonly Target[]): string {
  const lines = targets.map(
    (target) => `${target.name.padEnd(22)} ${target.seeds().length} samples  ${target.covers.join(' ')}`,
  );
  return `${lines.join('\n')}\n${targets.length} targets\n`;
}

async function all(
  targets: readonly Target[],
  { seed, seconds }: Options,
  linear: { readonly isOnly: boolean; readonly isOff: boolean },
): Promise<boolean> {
  const startedAt = performance.now();
  const leftMs = () => seconds * 1000 - (performance.now() - startedAt);
  let failures = 0;
  let [checked, kinds] = [0, 0];
  if (!linear.isOff) {
    const endsMs = linear.isOnly ? 0 : seconds * 1000 * (1 - LINEAR_PART);
    for (const [turn, target] of targets.entries()) {
      const count = hardKinds(target, seed).length;
      const forMs = Math.max(0, (leftMs() - endsMs) / (targets.length - turn));
      const ended = await run({ target: target.name, seed, from: 0, mode: 'linear', forMs });
      kinds += count;
      checked += Math.min(count, ended.index);
      if (ended.text !== null) failures += tellFailure(target, ended, { seed, seconds }, 'linear');
      else console.log(`${target.name.padEnd(22)} linear: ${ended.index} of ${count} kinds`);
    }
  }
  let inputs = 0;
  for (const [turn, target] of linear.isOnly ? [] : targets.entries()) {
    const forMs = Math.max(100, leftMs() / (targets.length - turn));
    const ended = await run({ target: target.name, seed, from: 0, mode: 'mutate', forMs });
    inputs += ended.index;
    if (ended.text !== null) failures += tellFailure(target, ended, { seed, seconds }, 'mutate');
    else console.log(`${target.name.padEnd(22)} ${String(ended.index).padStart(8)} inputs`);
  }
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  const linearly = linear.isOff ? '' : `, ${checked} of ${kinds} kinds of 10 MB`;
  console.log(
    `${targets.length} targets, ${inputs} inputs${linearly}, ${failures} failures, ${minutes} min, seed ${seed}`,
  );
  return failures === 0;
}

async function replay(
  targets: readonly Target[],
  { seed, seconds }: Options,
  from: number,
): Promise<boolean> {
  let failures = 0;
  for (const target of targets) {
    const ended = await run({ target: target.name, seed, from, mode: 'one', forMs: seconds * 1000 });
    if (ended.text !== null) failures += tellFailure(target, ended, { seed, seconds }, 'mutate');
  }
  if (failures === 0) console.log('nothing is wrong with this input any more');
  return failures === 0;
}

interface Ended {
  readonly index: number;
  readonly text: string | null;
  readonly input?: Uint8Array;
  readonly shrunk?: Uint8Array;
}

/** Runs a job in a thread, and ends the thread where an input does not end. */
async function run(job: Omit<Job, 'at' | 'folder'>): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-fuzz-'));
  const at = new SharedArrayBuffer(8);
  const index = new Int32Array(at);
  const patienceMs = job.mode === 'linear' ? LINEAR_MS : MUTATED_MS;
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { rollcallFuzz: { ...job, at, folder } },
      resourceLimits: { maxOldGenerationSizeMb: 3072 },
    });
    let [seen, spentMs, seenAt] = ['', startCpuClock(), performance.now()];
    const end = (ended: Ended) => {
      clearInterval(watch);
      void worker.terminate().then(() => {
        rmSync(folder, { recursive: true, force: true });
        resolve(ended);
      });
    };
    const watch = setInterval(() => {
      const now = index.join(' ');
      if (now !== seen) [seen, spentMs, seenAt] = [now, startCpuClock(), performance.now()];
      // One that waits for ever spends no time of its own.
      if (spentMs() > patienceMs || performance.now() - seenAt > WAITS * patienceMs)
        end({ index: Atomics.load(index, 0), text: `does not end within ${patienceMs / 1000} s` });
    }, 100);
    worker.on('message', (told: Told) =>
      end(told.kind === 'done' ? { index: told.index, text: null } : told),
    );
    worker.on('error', (error) =>
      end({ index: Atomics.load(index, 0), text: `ends its thread: ${String(error)}` }),
    );
  });
}

const SHOWN = 2000;

function tellFailure(
  target: Target,
  { index, text, input, shrunk }: Ended,
  { seed }: Options,
  mode: Job['mode'],
): 1 {
  const kind = mode === 'linear' ? hardKinds(target, seed)[index]?.name : undefined;
  console.log(
    `\nFAIL ${target.name}: ${text}${kind !== undefined && !text?.startsWith(kind) ? ` (${kind})` : ''}`,
  );
  if (shrunk !== undefined) {
    const bytes = Buffer.from(shrunk);
    const shown = JSON.stringify(bytes.toString('latin1', 0, SHOWN));
    console.log(
      `  smallest input, ${bytes.length} of ${input?.length} bytes, one character for each: ${shown}${bytes.length > SHOWN ? '…' : ''}`,
    );
  }
  const again = mode === 'linear' ? '--linear' : `--index ${index}`;
  console.log(`  again: npm run fuzz -- --target ${target.name} --seed ${seed} ${again}\n`);
  return 1;
}
