import { defineConfig } from 'vitest/config';
import { inOnePiece } from './test/support/in-one-piece.ts';
import { sealedWorkers } from './test/support/sealed-workers.ts';
import { SELDOM_AGAIN } from './test/support/seldom-again.ts';
import { SlowFirst } from './test/support/slow-first.ts';

// These start no process and leave nothing in the process that runs them: they share one and what it has loaded.
const PURE = [
  'core',
  'config',
  'contract',
  'accuracy',
  'adapters/agents',
  'cli/render',
  'fuzz',
  'bench',
  'mutants',
].map((folder) => `test/${folder}/**/*.test.ts`);

// Simulated worlds: pure as well, and all of the core again and again. Counting what runs would cost as much as they do.
const SIM = ['test/sim/**/*.test.ts'];

// These start processes, and leave nothing in the one that runs them either. Loading what they test once for each worker saves
// minutes; the others change their own process (attacks/second-user), measure its memory (adapters/history), put something in the
// place of a module before it is loaded (adapters/files), or turn the clock.
const SHARED = [
  'adapters/!(files|history)',
  'engine',
  'cli',
  'compose',
  'client',
  'server',
  'docs',
  'scripts',
  'e2e',
  'laws',
  'hook',
]
  .map((folder) => `test/${folder}/**/!(*.clock).test.ts`)
  .concat('test/attacks/!(second-user).test.ts');

// To start a process the kernel copies the tables of all memory that a worker has. With room for 4 GB it keeps four times what it
// needs; with less it throws away sooner.
const WORKER_FLAGS = ['--max-old-space-size=1024', SELDOM_AGAIN];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'real', include: ['test/**/*.test.ts'], exclude: [...PURE, ...SIM, ...SHARED] },
      },
      {
        extends: true,
        test: {
          ...{ name: 'shared', include: SHARED, exclude: PURE, isolate: false },
          ...(sealedWorkers && { pool: sealedWorkers }),
          execArgv: WORKER_FLAGS,
        },
      },
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        plugins: [inOnePiece('test/sim')],
        test: { name: 'sim', include: SIM, isolate: false, execArgv: [SELDOM_AGAIN] },
      },
    ],
    // For what hangs. No test has a shorter time of its own: on a machine with ten others at work it would only fail by luck.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // For a part of the tests. Of all of them scripts/test.mjs runs more side by side; what stands here wins over its command line.
    maxWorkers: Number(process.env.ROLLCALL_TEST_WORKERS ?? 3),
    // Of one file's tests that may run side by side: they mostly wait, and more would only wait for a core.
    maxConcurrency: 4,
    // What was made of a source once is kept below node_modules: each project, and the next run, would make it again.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: SlowFirst },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/own-clock.ts', 'test/support/same-seed.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/core/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
      thresholds: { branches: 100, functions: 100, lines: 100, statements: 100 },
    },
  },
});
