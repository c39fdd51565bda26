import { describe, expect, it } from 'vitest';
import { shownWords } from '../../../src/core/text/shown-words.ts';

describe('the words of a command that tmux shows', () => {
  it.each<[string, readonly string[] | null]>([
    ['', []],
    ['sleep 1000', ['sleep', '1000']],
    ['"sleep 1000"', ['sleep 1000']],
    ['sh -c "echo \\"a\\"; exec sh"', ['sh', '-c', 'echo "a"; exec sh']],
    ["'a\"b' ''", ['a"b', '']],
    ['\\; \\~ a\\tb \\001x', [';', '~', 'a\tb', '\u0001x']],
    ['"\\$HOME \\\\ \\n"', ['$HOME \\ \n']],
    ['\\377', null],
    ['a\\000b', null],
    ['"open', null],
    ['a"b', null],
    ['a  b', null],
  ])('%s', (text, words) => {
    expect(shownWords(text)).toEqual(words);
  });
});
