import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGlob, matchesGlob } from '../../src/config/glob.ts';
import { cpuSeconds } from '../support/cpu-seconds.ts';

describe('a pattern', () => {
  it.each([
    ['*', ''],
    ['*', 'anything'],
    ['build-*', 'build-'],
    ['build-*', 'build-1'],
    ['*-*-c', 'a-b-b-c'],
    ['a**c', 'abc'],
    ['?', 'x'],
    ['?', '🚀'],
    ['[abc]x', 'bx'],
    ['[a-c]x', 'cx'],
    ['[!a-c]x', 'dx'],
    ['[^a]', 'b'],
    ['[]]', ']'],
    ['[*]', '*'],
    ['[?]', '?'],
    ['[a-]', '-'],
    ['[ö-ü]*', 'ü1'],
    ['a[b', 'a[b'],
    ['[!]', '[!]'],
    ['a\\033*', 'a\\033[31m'],
    ['#(*)', '#(touch x)'],
  ])('%s matches %j', (pattern, name) => {
    expect(matchesGlob(pattern, name)).toBe(true);
  });

  it.each([
    ['', 'a'],
    ['a', ''],
    ['a', 'ab'],
    ['a*', 'ba'],
    ['*a', 'ab'],
    ['?', ''],
    ['?', 'ab'],
    ['[abc]', 'd'],
    ['[!a-c]', 'b'],
    ['[*]', 'x'],
    ['build', 'build-1'],
    ['Build*', 'build-1'],
    ['a.c', 'abc'],
    ['[z-a]', 'm'],
  ])('%j does not match %j', (pattern, name) => {
    expect(matchesGlob(pattern, name)).toBe(false);
  });

  it.each([
    ['*', true],
    ['a?', true],
    ['[ab]', true],
    ['a[b', false],
    ['a]b', false],
    ['[]', false],
    ['[!]', false],
    ['plain.name:1 $(x)', false],
    ['', false],
  ])('%j is a pattern: %s', (word, is) => {
    expect(isGlob(word)).toBe(is);
  });

  it('agrees with the plain meaning of stars and question marks', () => {
    const simple = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const names = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(
      fc.property(simple, names, (pattern, name) => matchesGlob(pattern, name) === reference(pattern, name)),
    );
  });

  it('S57: that would make a regular expression explode is answered at once', () => {
    const name = 'a'.repeat(300);
    const spent = cpuSeconds(() => {
      expect(matchesGlob(`${'a*'.repeat(2000)}b`, name)).toBe(false);
      expect(matchesGlob(`${'*a'.repeat(149)}*b`, name)).toBe(false);
      expect(isGlob('['.repeat(100_000))).toBe(false);
      expect(matchesGlob(`${'['.repeat(100_000)}]`, '[')).toBe(true);
    });
    expect(spent).toBeLessThan(5);
  });
});

// Exponential and obviously right.
function reference(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  const [first, rest] = [pattern[0], pattern.slice(1)];
  if (first === '*') return reference(rest, name) || (name !== '' && reference(pattern, name.slice(1)));
  return name !== '' && (first === '?' || first === name[0]) && reference(rest, name.slice(1));
}
