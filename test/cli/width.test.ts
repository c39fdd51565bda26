import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakText, displayWidth, fitText, pad } from '../../src/cli/render/width.ts';
import { codePoints } from './render/hostile.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 });
const anyCodePoints = codePoints(60);

describe('the width of text', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['漢字', 4],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['ก\u0e33', 2],
    ['\u1112\u1161\u11ab', 2],
    ['क\u094d\u0937\u093f', 3],
    ['👍', 2],
    ['👍🏽', 2],
    ['👨\u200d👩\u200d👧', 2],
    ['👩🏽\u200d💻', 2],
    ['🏳\ufe0f\u200d🌈', 2],
    ['❤', 1],
    ['❤\ufe0f', 2],
    ['1\ufe0f\u20e3', 2],
    ['🇩🇪', 2],
    ['🇩🇪🇫🇷', 4],
    ['🇩', 1],
    ['a\u200db', 2],
    ['a\ufe0f', 1],
    ['✓ ✗ … ·', 7],
    ['a\u00adb', 3],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('of a joined family is not that of its members, but two families side by side are two', () => {
    expect(displayWidth('👨\u200d👩👨\u200d👩')).toBe(4);
  });

  it('takes linear time, also for marks, joiners and selectors without end', () => {
    for (const unit of ['\u0301', '\ufe0f', '\u200d', '👩\u200d', '🇩', 'e\u0301', '1\ufe0f']) {
      const text = `a${unit.repeat(50_000)}`;
      expect(displayWidth(text)).toBeGreaterThan(0);
      expect(displayWidth(fitText(text, 20, { cut: 'middle' }))).toBeLessThanOrEqual(20);
      expect(breakText(text, 20).length).toBeGreaterThan(0);
    }
  });
});

describe('fitting text into cells', () => {
  it('leaves what fits as it is', () => {
    expect(fitText('abc', 3)).toBe('abc');
    expect(fitText('漢字', 4)).toBe('漢字');
  });

  it('cuts the end or the middle and shows it', () => {
    expect(fitText('abcdefgh', 5)).toBe('abcd…');
    expect(fitText('abcdefgh', 5, { cut: 'middle' })).toBe('ab…gh');
    expect(fitText('abcdefgh', 6, { cut: 'middle' })).toBe('abc…gh');
    expect(fitText('abcdefgh', 1)).toBe('…');
    expect(fitText('abcdefgh', 0)).toBe('');
    expect(fitText('abcdefgh', -3)).toBe('');
  });

  it('never cuts a glyph in two, and rather leaves a cell free', () => {
    expect(fitText('漢字漢字', 4)).toBe('漢…');
    expect(fitText('漢字漢字', 6, { cut: 'middle' })).toBe('漢…字');
    expect(fitText('👨\u200d👩\u200d👧👨\u200d👩\u200d👧👍', 5)).toBe(
      '👨\u200d👩\u200d👧👨\u200d👩\u200d👧…',
    );
    expect(fitText('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
  });

  it('never gives more cells than asked for, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, anyCodePoints), fc.nat(40), fc.boolean(), (text, width, isMiddle) => {
        const cut = isMiddle ? 'middle' : 'end';
        expect(displayWidth(fitText(text, width, { cut }))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('pads to the cells asked for, on either side', () => {
    expect(pad('漢', 4)).toBe('漢  ');
    expect(pad('7', 3, 'right')).toBe('  7');
    expect(pad('longer', 3)).toBe('longer');
  });

  it('breaks without losing anything, into parts that fit wherever one glyph does', () => {
    expect(breakText('ab漢字c', 2)).toEqual(['ab', '漢', '字', 'c']);
    expect(breakText('漢', 1)).toEqual(['漢']);
    fc.assert(
      fc.property(fc.oneof(anyText, anyCodePoints), fc.integer({ min: 2, max: 20 }), (text, width) => {
        const parts = breakText(text, width);
        expect(parts.join('')).toBe(text);
        expect(parts).not.toContain('');
        for (const part of parts) expect(displayWidth(part)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
