import { expect, test } from 'vitest';
import { wholeState } from '../../../src/core/sight/process.ts';

test.each([
  ['S', 1, 'S'],
  ['R', 9, 'R'],
  ['T', 2, 'T'],
  ['Z', 0, 'Z'],
  ['Z', 1, 'Z'],
  ['Z', Number.NaN, 'Z'],
  ['X', 0, 'X'],
])('a first thread in %s of %d is told as it is', (first, threads, state) => {
  expect(wholeState(first, threads, () => 'D')).toBe(state);
});

test('a first thread that has ended leaves the state of the others', () => {
  expect(wholeState('Z', 2, () => 'T')).toBe('T');
});

test('others that cannot be looked at are at work', () => {
  expect(wholeState('Z', 2, () => null)).toBe('R');
  expect(wholeState('Z', 2)).toBe('R');
});
