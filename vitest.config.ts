import { defineConfig } from 'vitest/config';

// These start no process and leave nothing in the process that runs them: they share one and what it has loaded.
const PURE = ['core', 'config', 'contract', 'accuracy', 'adapters/agents', 'cli/render'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'real', include: ['test/**/*.test.ts'], exclude: PURE } },
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
    ],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Most tests wait for real processes most of the time: a third worker fills two cores, more would only wait for one.
    maxWorkers: 3,
    // Of one file's tests that may run side by side: they mostly wait, and more would only wait for a core.
    maxConcurrency: 4,
    globalSetup: ['test/support/global-setup.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/core/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
      thresholds: { branches: 100, functions: 100, lines: 100, statements: 100 },
    },
  },
});
