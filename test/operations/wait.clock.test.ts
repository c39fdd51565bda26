import { afterEach, expect, it, vi } from 'vitest';
import { waitFor } from '../../src/operations/wait.ts';
import { entry, NOW, roll } from '../cli/render/samples.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('S32: a look that hangs holds nobody beyond the time that was given', async () => {
  vi.useFakeTimers();
  const looks = [Promise.resolve(roll([entry('one')]))];
  const look = () => looks.shift() ?? new Promise<never>(() => {});
  const waited = waitFor(
    { sessions: ['one'], until: ['exited'], timeoutMs: 1000 },
    { look, socketOf: (word = '') => word, now: () => NOW },
  );
  const refused = expect(waited).rejects.toMatchObject({ code: 'timed-out' });
  await vi.advanceTimersByTimeAsync(60_000);
  await refused;
});

it('leaves no timer behind', async () => {
  vi.useFakeTimers();
  await waitFor(
    { sessions: ['one'], until: ['working', 'idle'], timeoutMs: 60_000 },
    {
      look: async () => roll([entry('one', { activity: 'idle' })]),
      socketOf: (word = '') => word,
      now: () => NOW,
    },
  );
  expect(vi.getTimerCount()).toBe(0);
});
