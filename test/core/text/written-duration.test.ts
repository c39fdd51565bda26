import { expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/core/text/duration.ts';

it.each<[string, number, string]>([
  ['500ms', 500, '500ms'],
  ['90s', 90_000, '90s'],
  ['1.5h', 5_400_000, '90m'],
  ['8h', 28_800_000, '8h'],
  ['2d', 172_800_000, '2d'],
  ['0s', 0, '0s'],
])('%s is read, and written as a file would', (text, durationMs, written) => {
  expect(parseDuration(text)).toBe(durationMs);
  expect(formatDuration(durationMs)).toBe(written);
});

it.each(['', '5', 'm', '5 m', '-5m', '5w', '1e3s'])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeNull();
});
