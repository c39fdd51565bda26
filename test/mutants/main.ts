import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readExcused } from './excused.ts';
import { type Answer, JOB, type Job } from './job.ts';
import { keepRun, lastRun, type Run } from './last-run.ts';
import { type Mutant, nameIn } from './mutant.ts';
import { distance } from './nearness.ts';
import { playApart } from './parts.ts';
import { playJob } from './play.ts';
import { testsFor } from './reach.ts';
import { page } from './report.ts';
import { type Result, resultOf } from './result.ts';
import { mutantsIn, sourcesIn } from './scope.ts';

const HELP = `Breaks each guard, rule and check in turn, and looks for a test that goes red.

  npm run mutants -- [--only PATH]… [--near] [--list] [--write]

  --only PATH   a folder or a file below src/; more than one may be named
  --near        ask only the tests in the folder of each source
  --jobs N      processes at the same time; one for each core unless told
  --list        what would be broken
  --again       tell what the last runs found, by the list as it is now
  --write       write the result into docs/MUTANTS.md; only of all of it
  --help

Ends with 1 where a mutant survives that test/mutants/excused.json does not list, or lists one that does not.
`;

/** Hunts the mutants of the sources that decide; the exit code. */
export async function mutants(argv: readonly string[]): Promise<number> {
  const values = valuesIn(argv);
  if (typeof values === 'string') return print(`${values}\n`, 2);
  if (values.help) return print(HELP, 0);
  if (values.job !== undefined) return playOne(values.job);
  const sources = sourcesIn(values.only);
  const missed = values.only.find((path) => sourcesIn([path]).length === 0);
  if (missed !== undefined) return print(`nothing that is broken lies in ${missed}\n`, 2);
  const isWhole = values.only.length === 0 && !values.near;
  if (values.write && !isWhole) return print('--write takes all of it, without --only and --near\n', 2);
  const jobs = Number(values.jobs);
  if (!(Number.isInteger(jobs) && jobs > 0)) return print('--jobs takes a number above 0\n', 2);
  const all = mutantsIn(sources);
  if (values.list) return print(listOf(all), 0);
  const run = values.again ? lastRun(all) : await huntAll(sources, all, { jobs, isNear: values.near });
  if (run === null) return print('some of it was not run yet\n', 2);
  const { answers, cpuMs } = run;
  if (!values.again && !values.near) keepRun(all, run, isWhole);
  const result = resultOf(all, answers, readExcused());
  const unfit = answers.filter((one) => one.kind === 'unfit' && !one.isRed).length;
  tell(result, cpuMs);
  if (values.write) writeFileSync('docs/MUTANTS.md', page(result, cpuMs, unfit));
  return result.survived.length + result.problems.length === 0 ? 0 : 1;
}

function valuesIn(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        ...{
          only: { type: 'string', multiple: true, default: [] },
          near: { type: 'boolean', default: false },
        },
        ...{ jobs: { type: 'string', default: String(availableParallelism()) }, job: { type: 'string' } },
        ...{ list: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
        again: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
}

async function huntAll(
  sources: readonly string[],
  all: readonly Mutant[],
  { jobs, isNear }: { readonly jobs: number; readonly isNear: boolean },
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-mutants-'));
  try {
    const near = testsFor(sources);
    if (isNear)
      for (const [source, tests] of near)
        near.set(
          source,
          tests.filter((test) => distance(test, source) < 2),
        );
    const progress = progressOf(all);
    const parts = partsOf(sources, all, jobs).map((part) => jobOf(part, all, near));
    const found = await Promise.all(
      parts.map((job, index) => playApart(folder, `part-${index}`, job, progress)),
    );
    const cpuMs = found.reduce((sum, one) => sum + one.cpuMs, 0);
    return { answers: found.flatMap(({ answers }) => answers), cpuMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// As many parts as processes, of about the same number of mutants; neighbours share most of their tests.
function partsOf(sources: readonly string[], all: readonly Mutant[], jobs: number): string[][] {
  const parts: string[][] = Array.from({ length: jobs }, () => []);
  let before = 0;
  for (const source of sources) {
    parts[Math.min(jobs - 1, Math.floor((before * jobs) / Math.max(1, all.length)))]?.push(source);
    before += all.filter(({ file }) => file === source).length;
  }
  return parts.filter((part) => part.length > 0);
}

function jobOf(sources: readonly string[], all: readonly Mutant[], near: ReadonlyMap<string, string[]>): Job {
  const mine = new Set(sources);
  return {
    mutants: all.filter(({ file }) => mine.has(file)),
    sources,
    tests: [...new Set(sources.flatMap((source) => near.get(source) ?? []))],
    near: Object.fromEntries(sources.map((source) => [source, near.get(source) ?? []])),
    answers: '',
  };
}

function progressOf(all: readonly Mutant[]): (answer: Answer) => void {
  const byId = new Map(all.map((one) => [one.id, one]));
  let [done, survived] = [0, 0];
  return (answer) => {
    if (answer.kind !== 'killed' && answer.kind !== 'survived') return;
    done += 1;
    if (answer.kind === 'survived') survived += 1;
    const at = byId.get(answer.id);
    if (done % 100 === 0) console.log(`… ${done} of ${all.length}, ${survived} not killed; at ${at?.file}`);
  };
}

async function playOne(place: string): Promise<number> {
  process.env[JOB] = place;
  await playJob(JSON.parse(readFileSync(place, 'utf8')));
  const { user, system } = process.cpuUsage();
  return print(`\ncpu ${Math.round((user + system) / 1000)}\n`, 0);
}

function tell({ mutants: all, killed, listed, survived, problems }: Result, cpuMs: number): void {
  for (const one of survived) console.log(`SURVIVED ${one.file}:${one.line} ${nameIn(one)}`);
  for (const text of problems) console.log(`PROBLEM ${text}`);
  const counts = `${killed.length} killed, ${listed.length} listed with a reason, ${survived.length} survived`;
  console.log(`${all.length} mutants: ${counts}; ${(cpuMs / 60_000).toFixed(1)} min of processor time`);
}

function listOf(all: readonly Mutant[]): string {
  return `${all.map((one) => `${one.file}:${one.line} ${nameIn(one)}`).join('\n')}\n${all.length} mutants\n`;
}

function print(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
