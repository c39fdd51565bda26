import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPatience } from '../../../src/adapters/files/patience.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<string>(() => {});
const told = (text: string) => text;
/** The time is over, and what lay there was read. */
const late = async () => {
  await vi.advanceTimersByTimeAsync(1000);
  await vi.advanceTimersByTimeAsync(1);
};

test('gives what came in time, and what failed as it failed', async () => {
  const within = createPatience();
  expect(await within('/a', 1000, async () => 'came', told)).toBe('came');
  await expect(within('/a', 1000, () => Promise.reject(new Error('no')), told)).rejects.toThrow('no');
});

test('waits no longer than it may, and says what it waited for', async () => {
  const answer = createPatience()('/dead', 1000, never, told);
  await late();
  expect(await answer).toBe('the folder gave no answer within 1 s: is its mount alive?');
});

test('begins nothing a second time before the first has ended', async () => {
  const within = createPatience();
  let begun = 0;
  let end: (text: string) => void = () => {};
  const work = () => {
    begun += 1;
    return new Promise<string>((resolve) => {
      end = resolve;
    });
  };
  const first = within('/dead', 1000, work, told);
  await late();
  await first;
  for (let round = 0; round < 5; round += 1) await within('/dead', 1000, work, told);
  expect(begun).toBe(1);
  end('late');
  await vi.advanceTimersByTimeAsync(0);
  expect(await within('/dead', 1000, async () => 'came', told)).toBe('came');
});
