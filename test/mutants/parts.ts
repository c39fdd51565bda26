import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Job } from './job.ts';
import type { Mutant } from './mutant.ts';

/** A process that answers nothing for so long hangs, on a machine that is as busy as any. */
const PATIENCE_MS = 600_000;

/** What a part found, and what it took. */
export interface Found {
  readonly answers: readonly Answer[];
  readonly cpuMs: number;
}

/** Does a job in a process of its own. One that hangs is ended, its mutant counts as found, and another does the rest. */
export async function playApart(
  folder: string,
  name: string,
  job: Job,
  tell: (answer: Answer) => void,
): Promise<Found> {
  const answers: Answer[] = [];
  let [left, cpuMs, turn] = [job.mutants, 0, 0];
  while (left.length > 0) {
    turn += 1;
    const file = join(folder, `${name}-${turn}.answers`);
    const place = join(folder, `${name}-${turn}.json`);
    writeFileSync(place, JSON.stringify({ ...job, mutants: left, answers: file } satisfies Job));
    const ended = await run(place, file, (answer) => {
      answers.push(answer);
      tell(answer);
    });
    cpuMs += ended.cpuMs;
    const done = new Set(
      answers.flatMap((one) => (one.kind === 'killed' || one.kind === 'survived' ? [one.id] : [])),
    );
    const rest = left.filter(({ id }) => !done.has(id));
    if (rest.length > 0) {
      const last = answers.findLast((one) => one.kind === 'begun');
      if (!ended.isHung || last === undefined) throw new Error(`the tests ended early:\n${ended.output}`);
      const hung: Answer = { kind: 'killed', id: last.id, by: 'nothing follows', how: 'hung' };
      answers.push(hung);
      tell(hung);
    }
    left = rest.filter(({ id }: Mutant) => !answers.some((one) => one.kind === 'killed' && one.id === id));
  }
  return { answers, cpuMs };
}

interface Ended {
  readonly cpuMs: number;
  readonly output: string;
  readonly isHung: boolean;
}

async function run(place: string, file: string, tell: (answer: Answer) => void): Promise<Ended> {
  const child: ChildProcess = spawn(process.execPath, [process.argv[1] as string, '--job', place], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
    });
  let [seen, movedAt, isHung] = [0, performance.now(), false];
  const follow = () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    for (const line of lines.slice(seen)) tell(JSON.parse(line));
    if (lines.length > seen) movedAt = performance.now();
    seen = lines.length;
    if (performance.now() - movedAt > PATIENCE_MS) isHung = child.kill('SIGKILL');
  };
  const watch = setInterval(follow, 1000);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  follow();
  const spent = /^cpu (\d+)$/m.exec(output)?.[1];
  return { cpuMs: Number(spent ?? 0), output, isHung };
}
