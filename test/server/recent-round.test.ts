import { expect, test } from 'vitest';
import { recentRound } from '../../src/server/routes/call.ts';
import { NOW } from '../cli/render/samples.ts';

const round = { number: 1, now: { at: NOW } };
const newer = { number: 2, now: { at: NOW } };

const asked = (ageMs: number, lookNow = () => Promise.resolve(newer)) =>
  recentRound({
    desk: { round: () => round, lookNow } as never,
    now: () => NOW + ageMs,
  });

test('where nothing moves the last round may be old: whoever asks gets another', async () => {
  expect(await asked(30_000)).toBe(round);
  expect(await asked(30_001)).toBe(newer);
  // The clock was set back.
  expect(await asked(-30_001)).toBe(newer);
});

test('the last one is told where no other comes about', async () => {
  expect(await asked(60_000, () => Promise.reject(new Error('stopping')))).toBe(round);
});
