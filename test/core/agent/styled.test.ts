import { describe, expect, it } from 'vitest';
import { spansOf } from '../../../src/core/agent/styled.ts';

const PLAIN = { isFaint: false, isInverse: false, color: null };

describe('the spans of a screen', () => {
  it('begin where the style changes', () => {
    expect(spansOf(['› \x1b[2mAsk anything\x1b[0m'])).toEqual([
      [
        { text: '› ', ...PLAIN },
        { text: 'Ask anything', ...PLAIN, isFaint: true },
      ],
    ]);
  });

  it('keep their style from row to row', () => {
    expect(spansOf(['\x1b[38;5;8mone', 'two', '\x1b[39mthree'])).toEqual([
      [{ text: 'one', ...PLAIN, color: '38;5;8' }],
      [{ text: 'two', ...PLAIN, color: '38;5;8' }],
      [{ text: 'three', ...PLAIN }],
    ]);
  });

  it.each<[string, string, object]>([
    ['inverse', '\x1b[7m', { isInverse: true }],
    ['no longer inverse', '\x1b[7m\x1b[27m', {}],
    ['no longer faint', '\x1b[2m\x1b[22m', {}],
    ['a named colour', '\x1b[31m', { color: '31' }],
    ['a bright colour', '\x1b[97m', { color: '97' }],
    ['a true colour', '\x1b[38;2;1;2;3;2m', { color: '38;2;1;2;3', isFaint: true }],
    ['a background, which says nothing', '\x1b[48;5;8;7m', { isInverse: true }],
    ['an indexed colour that reads like other codes', '\x1b[38;5;7;2m', { color: '38;5;7', isFaint: true }],
    ['a background that reads like other codes', '\x1b[48;5;33m', {}],
    ['the first named colour', '\x1b[30m', { color: '30' }],
    ['the last named colour', '\x1b[37m', { color: '37' }],
    ['the first bright colour', '\x1b[90m', { color: '90' }],
    ['a named background', '\x1b[41m', {}],
    ['a bright background', '\x1b[100m', {}],
    ['bold, which says nothing', '\x1b[1m', {}],
    ['an empty reset', '\x1b[2m\x1b[m', {}],
  ])('are %s', (_, sequence, expected) => {
    expect(spansOf([`${sequence}x`])).toEqual([[{ text: 'x', ...PLAIN, ...expected }]]);
  });

  it('lose hyperlinks and shifts of the character set, and nothing else', () => {
    expect(spansOf(['a\x1b]8;;http://x\x1b\\b\x0ec\x0f', ''])).toEqual([
      [
        { text: 'a', ...PLAIN },
        { text: 'b', ...PLAIN },
        { text: 'c', ...PLAIN },
      ],
      [],
    ]);
  });

  it('S57: of a long row cost little', () => {
    const row = '\x1b[2mx\x1b[0my'.repeat(50_000);
    expect(spansOf([row])[0]).toHaveLength(100_000);
  });
});
