import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flushKeys, readKeys } from '../../../src/cli/watch/keys.ts';
import { codePoints } from '../render/hostile.ts';

const names = (typed: string) =>
  readKeys('', typed).keys.map((key) => (key.name === 'text' ? `'${key.text}'` : key.name));

describe('keys', () => {
  it.each([
    ['q', ["'q'"]],
    ['jk', ["'j'", "'k'"]],
    ['漢👍', ["'漢'", "'👍'"]],
    ['\r', ['enter']],
    ['\n', ['enter']],
    ['\u007f', ['backspace']],
    ['\b', ['backspace']],
    ['\u0003', ['interrupt']],
    ['\u0015', ['erase-line']],
    ['\u000c', ['redraw']],
    ['\u001b[A\u001b[B', ['up', 'down']],
    ['\u001bOA\u001bOB', ['up', 'down']],
    ['\u001b[1;5A', ['up']],
    ['\u001b[5~\u001b[6~', ['page-up', 'page-down']],
    ['\u001b[5;2~', ['page-up']],
    ['\u001b[H\u001b[F', ['home', 'end']],
    ['\u001b[1~\u001b[4~\u001b[7~\u001b[8~', ['home', 'end', 'home', 'end']],
    ['\u001b\u001b[A', ['escape', 'up']],
    ['\u001bq', ['escape', "'q'"]],
    ['\u001b[I\u001b[?1;2c\u001b[200~\u001bOP', []],
    ['\t\u0000\u001a\u0085', []],
    [`\u001b[${'1'.repeat(100)}A`, ['up']],
  ])('reads %j as %j', (typed, expected) => {
    expect(names(typed)).toEqual(expected);
  });

  it('waits for the rest of a sequence that arrives in pieces', () => {
    const first = readKeys('', 'a\u001b');
    expect(first).toEqual({ keys: [{ name: 'text', text: 'a' }], pending: '\u001b' });
    const second = readKeys(first.pending, '[1;');
    expect(second).toEqual({ keys: [], pending: '\u001b[1;' });
    expect(readKeys(second.pending, '2Bx')).toEqual({
      keys: [{ name: 'down' }, { name: 'text', text: 'x' }],
      pending: '',
    });
  });

  it('takes a lone escape byte after which nothing came for the Escape key, and drops half a sequence', () => {
    expect(flushKeys('\u001b')).toEqual([{ name: 'escape' }]);
    expect(flushKeys('\u001b[1;')).toEqual([]);
    expect(flushKeys('')).toEqual([]);
  });

  it('does not wait forever for the end of what is no key', () => {
    expect(readKeys('', `\u001b[${'1'.repeat(100)}`).pending).toBe('');
  });

  it('reads the same keys however the bytes are cut into pieces', () => {
    const typed = fc.array(
      fc.constantFrom(
        'q',
        'j',
        '\r',
        '\u001b[A',
        '\u001b[6~',
        '\u001bOB',
        '\u001b[1;5B',
        '漢',
        '/',
        '\u0003',
      ),
    );
    fc.assert(
      fc.property(typed, fc.array(fc.nat(60)), (sequences, cuts) => {
        const text = sequences.join('');
        const whole = readKeys('', text);
        const keys = [];
        let pending = '';
        const at = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort(
          (a, b) => a - b,
        );
        for (let index = 1; index < at.length; index += 1) {
          const read = readKeys(pending, text.slice(at[index - 1], at[index]));
          keys.push(...read.keys);
          pending = read.pending;
        }
        expect(keys).toEqual(whole.keys);
      }),
    );
  });

  it('survives whatever bytes come', () => {
    fc.assert(
      fc.property(fc.array(codePoints(20)), (pieces) => {
        let pending = '';
        for (const piece of pieces) pending = readKeys(pending, piece).pending;
        expect(pending.length).toBeLessThanOrEqual(32);
      }),
    );
  });
});
