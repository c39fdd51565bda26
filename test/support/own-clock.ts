import { afterAll, vi } from 'vitest';

// The next file of this worker would wait for ever: its timers would stand still as well.
afterAll(() => {
  if (!vi.isFakeTimers()) return;
  vi.useRealTimers();
  throw new Error('this file leaves fake timers behind: give the real ones back after each test');
});
