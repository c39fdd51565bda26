import { expect, test } from 'vitest';
import { boundOf, reliabilityMarkdown } from '../../scripts/reliability.ts';

const rowOf = (page: string, read?: (page: string) => string) =>
  reliabilityMarkdown(read)
    .split('\n')
    .find((line) => line.startsWith(`| [${page}.md]`)) ?? '';

test('has the result of each page that was measured', () => {
  for (const page of ['SESSIONS', 'RACES', 'DAMAGE', 'ACCURACY'])
    expect([page, /\| [\d,]+ [a-z]+ \| \d+ \| (?:below|none)/.test(rowOf(page))]).toEqual([page, true]);
});

test('takes counts from the sentence of the page, and says where there is none', () => {
  const found =
    '**417 worlds, 250,100 session-hours in 60 min (900 × real time on each core): 0 violations.**';
  expect(rowOf('SIMULATION', () => found)).toContain('| 250,100 session-hours | 0 | below 1 in 83,366 |');
  const broken = found.replace(': 0 v', ': 2 v');
  expect(rowOf('SIMULATION', () => broken)).toContain('| 250,100 session-hours | 2 | none |');
  expect(rowOf('SIMULATION', () => 'Not yet run.')).toContain('| not run as a whole yet |');
});

test('bounds what never went wrong by the rule of three', () => {
  expect(boundOf({ count: 300, wrong: 0 })).toBe('below 1.00 %');
  expect(boundOf({ count: 300, wrong: 1 })).toBe('none');
  expect(boundOf({ count: 0, wrong: 0 })).toBe('none');
});
