import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const NUMBER = /\bS(\d{1,2})\b/g;
const numbersIn = (text: string) => [...text.matchAll(NUMBER)].map(([, number]) => Number(number));
const sorted = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);

test('every scenario that a test names is told, and every one that is told has a test', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const tested = files.flatMap((name) => numbersIn(readFileSync(join('test', name), 'utf8')));
  const told = [...readFileSync('docs/SCENARIOS.md', 'utf8').matchAll(/^\| S(\d+) \|/gm)].map(([, one]) =>
    Number(one),
  );
  expect(sorted(told)).toEqual(sorted(tested));
  expect(new Set(told).size).toBe(told.length);
});
