import { type ChildProcess, fork } from 'node:child_process';
import type { Job, Told } from './job.ts';

/** Processes that play stories, one a core. */
export interface Crew {
  readonly size: number;
  /** Waits for one that is free. */
  do(job: Job): Promise<Told>;
  end(): void;
}

/** A story takes seconds; one that takes so long never ends. */
const MOST_MS = 900_000;

/** A story makes much that is garbage at once: with more room it is collected seldom. */
const FLAGS = ['--max-semi-space-size=64'];

/** Starts `size` processes of a bundle of worker.ts. */
export function createCrew(file: string, size: number): Crew {
  const free: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  const waiting: ((child: ChildProcess) => void)[] = [];
  const give = (child: ChildProcess) => {
    const next = waiting.shift();
    if (next === undefined) free.push(child);
    else next(child);
  };
  const start = () => {
    const child = fork(file, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: FLAGS });
    all.add(child);
    give(child);
  };
  for (let count = 0; count < size; count += 1) start();
  return {
    size,
    async do(job) {
      const child = free.pop() ?? (await new Promise<ChildProcess>((resolve) => waiting.push(resolve)));
      try {
        const told = await answerOf(child, job);
        give(child);
        return told;
      } catch (error) {
        all.delete(child);
        child.kill('SIGKILL');
        start();
        throw error;
      }
    },
    end() {
      for (const child of all) child.kill('SIGTERM');
    },
  };
}

function answerOf(child: ChildProcess, job: Job): Promise<Told> {
  return new Promise((resolve, reject) => {
    const fail = (text: string) => over(() => reject(new Error(`${wordsOf(job)}: ${text}`)));
    const onExit = (code: number | null, signal: string | null) =>
      fail(`its process ended with ${signal ?? code}`);
    const onMessage = (message: { readonly told?: Told; readonly error?: string }) => {
      const { told, error = 'no answer' } = message;
      if (told === undefined) fail(error);
      else over(() => resolve(told));
    };
    const limit = setTimeout(() => fail(`not over after ${MOST_MS / 1000} s`), MOST_MS);
    const over = (then: () => void) => {
      clearTimeout(limit);
      child.off('exit', onExit).off('message', onMessage);
      then();
    };
    child.on('exit', onExit).on('message', onMessage);
    child.send(job);
  });
}

function wordsOf(job: Job): string {
  return job.kind === 'play' ? `seed ${job.seed}` : `making the story of seed ${job.story.seed} shorter`;
}
