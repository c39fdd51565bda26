import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleDeep } from '../../../src/core/text/visible.ts';
import { cpuTimeMs } from '../cpu-time.ts';

const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Surrogate}\p{Zl}\p{Zp}]/u;
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u0000',
      '\u202e',
      '\u2066',
      '\u200f',
      '\ud83d',
      '\ude00',
      '😀',
      '\u2028',
      '\\',
      'a',
    ),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
  maxLength: 60,
});

describe('visible', () => {
  it.each([
    ['plain text', 'plain text'],
    ['unicode: zażółć 日本 👩‍💻', 'unicode: zażółć 日本 👩‍💻'],
    ['a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['\u001b]0;title\u0007', '\\e]0;title\\u{7}'],
    ['\u001b[31mred', '\\e[31mred'],
    ['\u009b31m', '\\u{9b}31m'],
    ['evil\u202etxt.exe', 'evil\\u{202e}txt.exe'],
    ['\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['lone \ud83d half', 'lone \\u{d83d} half'],
    ['del \u007f', 'del \\u{7f}'],
  ])('S54: shows %j as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('cuts what is too long, and says so within the bound', () => {
    expect(visible('abcdef', 6)).toBe('abcdef');
    expect(visible('abcdefg', 6)).toBe('abcde…');
    expect(visible('\n\n\n\n', 6)).toBe('\\n\\n\\…');
    expect(visible('abcd😀fg', 6)).toBe('abcd…');
    expect(visible('x'.repeat(5000))).toHaveLength(4096);
    expect(visible('x'.repeat(5000), Number.POSITIVE_INFINITY)).toHaveLength(5000);
  });

  it('S54: never lets a control, bidi or lone surrogate character through, whatever the text and the bound', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 80 }), (text, maxLength) => {
        const shown = visible(text, maxLength);
        expect(shown).not.toMatch(UNSAFE);
        expect(shown.length).toBeLessThanOrEqual(maxLength);
      }),
      { numRuns: 2000 },
    );
  });

  it('S54: is idempotent, so that each edge may apply it', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 80 }), (text, maxLength) => {
        expect(visible(visible(text, maxLength), maxLength)).toBe(visible(text, maxLength));
      }),
      { numRuns: 2000 },
    );
  });

  it('S57: takes no longer for ten million characters than for a few', () => {
    const text = '\u001b'.repeat(10_000_000);
    expect(visible(text)).toHaveLength(4096);
    expect(cpuTimeMs(() => visible(text))).toBeLessThan(1000);
  });
});

it('makes everything in a value visible, also its names, and leaves out what is undefined', () => {
  const value = { 'a\n': ['b\t', { c: 'd\u001b', e: 1, f: null, g: undefined }] };
  expect(visibleDeep(value)).toStrictEqual({ 'a\\n': ['b\\t', { c: 'd\\e', e: 1, f: null }] });
});

it('shares what needs no change, and never changes what it is given', () => {
  const plain = { a: [{ b: 'c' }], d: { e: null } };
  const mixed = { first: plain, second: ['x', 'y\n'], third: [plain], last: undefined };
  const asItWas = structuredClone(mixed);
  expect(visibleDeep(plain)).toBe(plain);
  const shown = visibleDeep(mixed);
  expect(shown).toStrictEqual({ first: plain, second: ['x', 'y\\n'], third: [plain] });
  expect(shown.first).toBe(plain);
  expect(shown.third).toBe(mixed.third);
  expect(mixed).toStrictEqual(asItWas);
});
