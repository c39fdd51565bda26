import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { startVitest } from 'vitest/node';
import { mutated } from './generate.ts';
import type { Job } from './job.ts';

/** Does one job: loads its tests with every mutant of its sources in them, and hunts those in one worker. */
export async function playJob(job: Job): Promise<void> {
  const first = new Map(
    job.sources.map((file) => [file, job.mutants.find((one) => one.file === file)?.id ?? 0]),
  );
  const vitest = await startVitest(
    'test',
    [...job.tests],
    {
      ...{ config: false, watch: false, pool: 'threads', isolate: false, maxWorkers: 1 },
      ...{ include: [...job.tests], runner: resolve('test/mutants/runner.ts') },
      ...{ globalSetup: [resolve('test/support/global-setup.ts')], reporters: [{}] },
      ...{ testTimeout: 600_000, hookTimeout: 600_000, dangerouslyIgnoreUnhandledErrors: true },
      disableConsoleIntercept: true,
    },
    {
      logLevel: 'error',
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          transform(_, id) {
            const file = relative('.', id);
            const from = first.get(file);
            return from === undefined
              ? null
              : { code: mutated(file, readFileSync(file, 'utf8'), from).code, map: null };
          },
        },
      ],
    },
  );
  for (const error of vitest.state.getUnhandledErrors()) console.error(error);
}
