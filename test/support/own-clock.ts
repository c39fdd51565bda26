import { afterAll, expect, vi } from 'vitest';

// What an earlier file of this worker left running would set its timers on a clock that stands still, and be counted with those of
// the test. Such a file runs by itself.
const useFakeTimers = vi.useFakeTimers.bind(vi);
vi.useFakeTimers = (options) => {
  if (!expect.getState().testPath?.endsWith('.clock.test.ts'))
    throw new Error('a file that turns the clock has a process of its own: name it *.clock.test.ts');
  return useFakeTimers(options);
};

// Each test that turns the clock has to turn it back: the next one would wait for ever.
afterAll(() => {
  if (!vi.isFakeTimers()) return;
  vi.useRealTimers();
  throw new Error('this file leaves fake timers behind: give the real ones back after each test');
});
