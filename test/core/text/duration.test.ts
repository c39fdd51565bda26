import { expect, it } from 'vitest';
import { spoken } from '../../../src/core/text/duration.ts';

it.each([
  [-5, 'under 1 s'],
  [0, 'under 1 s'],
  [999, 'under 1 s'],
  [1000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 h'],
  [86_399_999, '23 h'],
  [86_400_000, '1 d'],
  [9 * 86_400_000, '9 d'],
])('%i ms are spoken as "%s", rounded down', (durationMs, text) => {
  expect(spoken(durationMs)).toBe(text);
});
