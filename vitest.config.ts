import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Real tmux servers and forked programs share two cores: more workers only make each other wait.
    maxWorkers: 2,
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
