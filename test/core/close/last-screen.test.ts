import { expect, it } from 'vitest';
import { isKept } from '../../../src/core/close/last-screen.ts';

it('is kept where an earlier capture holds all of it', () => {
  expect(isKept('one\ntwo\n', ['one\ntwo\n'])).toBe(true);
  expect(isKept('one\n', ['one\ntwo\n'])).toBe(true);
  expect(isKept('one\ntwo\nthree\n', ['one\ntwo\n', 'one\ntwo\nthree\n'])).toBe(true);
  expect(isKept('', ['one\n'])).toBe(true);
  expect(isKept('one\ntwo\nthree\n', ['one\ntwo\n'])).toBe(false);
  expect(isKept('two\n', ['one\ntwo\n'])).toBe(false);
  expect(isKept('one\n', [])).toBe(false);
});
