import { afterEach, expect, test, vi } from 'vitest';
import { recentRound } from '../../src/server/routes/call.ts';
import { NOW } from '../cli/render/samples.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('the last round is told where another does not come to its end', async () => {
  vi.useFakeTimers();
  const round = { number: 1, now: { at: NOW } };
  const newer = { number: 2, now: { at: NOW } };
  const told: unknown[] = [];
  const ask = (lookNow: () => Promise<unknown>) =>
    recentRound({ desk: { round: () => round, lookNow } as never, now: () => NOW + 60_000 }).then((one) =>
      told.push(one),
    );
  void ask(() => new Promise(() => {}));
  void ask(() => new Promise((resolve) => setTimeout(resolve, 9999, newer)));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([newer, round]);
  expect(vi.getTimerCount()).toBe(0);
});
