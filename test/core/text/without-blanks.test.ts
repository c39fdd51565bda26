import { expect, it } from 'vitest';
import { withoutBlanks } from '../../../src/core/text/without-blanks.ts';

it.each([
  ['a b  ', 'a b'],
  ['   ', ''],
  ['', ''],
  [' a\t', ' a\t'],
])('leaves of %j what stands before the spaces at its end', (line, left) => {
  expect(withoutBlanks(line)).toBe(left);
});
