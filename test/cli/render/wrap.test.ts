import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitLine, line, lineWidth, printLine, span } from '../../../src/cli/render/line.ts';
import { wrap } from '../../../src/cli/render/wrap.ts';

const wrapped = (prefix: string, text: string, width: number | null) =>
  wrap(line(prefix), line(text), width).map((pieces) => printLine(pieces, false).trimEnd());

describe('breaking text into lines', () => {
  it('hangs under the end of the prefix', () => {
    expect(wrapped('- ', 'one two three four five six', 20)).toEqual(['- one two three four', '  five six']);
  });

  it('breaks a word that is wider than a line', () => {
    expect(wrapped('', 'abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('gives up the hanging indent where it would leave no room', () => {
    expect(wrapped('a long prefix of it ', 'one two three', 24)).toEqual([
      'a long prefix of it one',
      '  two three',
    ]);
  });

  it('without a width leaves all on one line', () => {
    expect(wrapped('- ', 'x '.repeat(300).trim(), null)).toHaveLength(1);
  });

  it('loses no word and is never too wide', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 })), fc.integer({ min: 4, max: 60 }), (words, width) => {
        const text = words.join(' ');
        const lines = wrap(line('> '), line(text), width);
        for (const pieces of lines) expect(lineWidth(pieces)).toBeLessThanOrEqual(width);
        const kept = lines.map((pieces) => printLine(pieces, false)).join('');
        expect(kept.replace(/\s/g, '')).toBe(`>${line(text)[0]?.text ?? ''}`.replace(/\s/g, ''));
      }),
    );
  });
});

describe('cutting a line of several pieces', () => {
  it('cuts inside the piece where the room ends and keeps its tone', () => {
    const cut = fitLine([span('abc', 'alarm'), span('defgh', 'good'), span('ijk')], 5);
    expect(printLine(cut, true)).toBe('\u001b[31mabc\u001b[0m\u001b[32md…\u001b[0m');
  });

  it('shows that more would follow, also when a piece ends exactly at the edge', () => {
    expect(printLine(fitLine([span('abc'), span('def')], 3), false)).toBe('ab…');
  });
});
