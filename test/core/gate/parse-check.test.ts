import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GateCheck } from '../../../src/core/gate/check.ts';
import { checkText, missingText } from '../../../src/core/gate/check-text.ts';
import { parseCheck, splitWords } from '../../../src/core/gate/parse-check.ts';
import { cpuSeconds } from '../../support/cpu-seconds.ts';

const TIMEOUT = { timeoutMs: 300_000 };
const parsed = (text: string) => parseCheck(text, TIMEOUT);
const command = (...argv: string[]): GateCheck => ({ kind: 'command', argv, cwd: null, ...TIMEOUT });

describe('a check as it is typed', () => {
  it.each<[string, GateCheck, string]>([
    ['clean', { kind: 'clean' }, 'the work tree is clean'],
    [' pushed ', { kind: 'pushed' }, 'every commit is pushed'],
    ['todo', { kind: 'todo', path: null }, "nothing is open on the agent's own list"],
    ['todo:docs/TODO.md', { kind: 'todo', path: 'docs/TODO.md' }, 'no box is open in docs/TODO.md'],
    ['file: a b.txt', { kind: 'file', path: 'a b.txt' }, 'a b.txt exists'],
    ['file:C:x', { kind: 'file', path: 'C:x' }, 'C:x exists'],
    ['command:npm test', command('npm', 'test'), 'npm test exits 0'],
    [
      `command: sh -c 'a && b' "it's" x\\ y "" \\\\`,
      command('sh', '-c', 'a && b', "it's", 'x y', '', '\\'),
      `sh -c 'a && b' 'it'\\''s' 'x y' '' '\\' exits 0`,
    ],
    ['{"check":"clean"}', { kind: 'clean' }, 'the work tree is clean'],
    ['{"check":"pushed"}', { kind: 'pushed' }, 'every commit is pushed'],
    ['{"check":"todo"}', { kind: 'todo', path: null }, "nothing is open on the agent's own list"],
    ['{"check":"todo","path":"a.md"}', { kind: 'todo', path: 'a.md' }, 'no box is open in a.md'],
    ['{"check":"file","path":"a"}', { kind: 'file', path: 'a' }, 'a exists'],
    ['{"check":"command","argv":["make"]}', command('make'), 'make exits 0'],
    [
      '{"check":"command","argv":["make","a b"],"cwd":"sub","timeout":"5s"}',
      { kind: 'command', argv: ['make', 'a b'], cwd: 'sub', timeoutMs: 5000 },
      "make 'a b' exits 0 in sub",
    ],
    [
      '{"check":"command","argv":["make"],"timeout":"1s"}',
      { kind: 'command', argv: ['make'], cwd: null, timeoutMs: 1000 },
      'make exits 0',
    ],
    [
      '{"check":"command","argv":["make"],"timeout":"1h"}',
      { kind: 'command', argv: ['make'], cwd: null, timeoutMs: 3_600_000 },
      'make exits 0',
    ],
    ['{"check":"command","argv":["make"],"cwd":null,"timeout":null}', command('make'), 'make exits 0'],
  ])('%s', (text, check, said) => {
    expect(parsed(text)).toEqual({ state: 'check', check });
    expect(checkText(check)).toBe(said);
  });

  it.each<[string, string, string]>([
    ['', "there is no check ''", 'one of clean'],
    ['CLEAN', "there is no check 'CLEAN'", 'one of clean'],
    ['npm test', "there is no check 'npm test'", 'a command is written command:npm test'],
    ['tests:all', "there is no check 'tests:all'", 'one of clean'],
    ['file:', "nothing stands behind 'file:'", 'one of clean'],
    ['todo: ', "nothing stands behind 'todo:'", 'one of clean'],
    ['command:', "nothing stands behind 'command:'", 'one of clean'],
    ['command:""', 'a command needs a program', 'command:npm test'],
    ['command:a && b', "'a && b': no shell reads it, and '&' is for a shell", 'several checks'],
    ['command:a; b', "'a; b': no shell reads it, and ';' is for a shell", 'several checks'],
    ['command:a $HOME', "'a $HOME': no shell reads it, and '$' is for a shell", 'several checks'],
    ['command:A=1 make', "'A=1' is no program: no shell reads it", 'env NAME=VALUE'],
    ["command:echo 'a", "'echo 'a': a quote or a backslash has no end", 'several checks'],
    ['command:echo a\\', "'echo a\\': a quote or a backslash has no end", 'several checks'],
    [`command:${'a '.repeat(257)}`, 'a command has too many words', 'at most 256'],
    ['file:a\0b', 'a check holds a NUL character', 'one of clean'],
    [`file:${'x'.repeat(9000)}`, 'a check is too long', 'at most 8192'],
    ['{', 'a check that begins with { is not JSON', 'one of clean'],
    ['{}', "there is no check 'undefined'", 'one of clean'],
    ['{"check":"toString"}', "there is no check 'toString'", 'one of clean'],
    ['{"check":["clean"]}', "there is no check 'clean'", 'one of clean'],
    ['{"check":"clean","path":"a"}', "a check 'clean' has no 'path'", 'it takes nothing else'],
    ['{"check":"file","file":"a"}', "a check 'file' has no 'file'", 'it takes path'],
    ['{"check":"file"}', "a check 'file' needs a path", 'one of clean'],
    ['{"check":"file","path":7}', "the path of 'file' is not a text", 'one of clean'],
    ['{"check":"todo","path":" "}', "the path of 'todo' is not a text", 'one of clean'],
    ['{"check":"todo","path":"a\\u0000"}', "the path of 'todo' is not a text", 'one of clean'],
    ['{"check":"command"}', 'argv is not a list of texts', 'it takes argv, cwd, timeout'],
    ['{"check":"command","argv":[1]}', 'argv is not a list of texts', 'it takes argv, cwd, timeout'],
    ['{"check":"command","argv":[]}', 'a command needs a program', 'command:npm test'],
    ['{"check":"command","argv":["a","b\\u0000"]}', 'a command holds a NUL character', 'one of clean'],
    ['{"check":"command","argv":["a\\u0000"]}', 'a command holds a NUL character', 'one of clean'],
    ['{"check":"command","argv":["a"],"cwd":7}', 'cwd is not a text', 'a folder'],
    ['{"check":"command","argv":["a"],"timeout":"soon"}', "'soon' is no timeout", 'from 1s to 1h'],
    ['{"check":"command","argv":["a"],"timeout":5}', "'5' is no timeout", 'from 1s to 1h'],
    ['{"check":"command","argv":["a"],"timeout":"999ms"}', "'999ms' is no timeout", 'from 1s to 1h'],
    ['{"check":"command","argv":["a"],"timeout":"2h"}', "'2h' is no timeout", 'from 1s to 1h'],
  ])('%s: says what is wrong', (text, said, hint) => {
    const wrong = parsed(text);
    expect(wrong).toMatchObject({ state: 'wrong', text: said });
    expect((wrong as { hint: string }).hint).toContain(hint);
  });

  it('S54: is shown without anything that could steer a terminal', () => {
    const evil = '\u001b[31m\u202e';
    expect(checkText({ kind: 'file', path: evil })).toBe('\\e[31m\\u{202e} exists');
    expect(missingText({ kind: 'clean' }, { text: evil })).toBe('the work tree is clean: \\e[31m\\u{202e}');
    expect(missingText({ kind: 'clean' }, { text: '' })).toBe('the work tree is clean');
    for (const text of [
      evil,
      `{"check":"${'\\u001b'}[2J"}`,
      `command:\u001b[2J '`,
      `{"check":"file","\\u202e":1}`,
    ]) {
      expect(JSON.stringify(parsed(text))).not.toMatch(/\\u001b|\u202e/);
    }
  });

  it('S57: never throws, whatever is typed', () => {
    const words = fc.constantFrom(
      'clean',
      'file:',
      'command:',
      'todo:',
      '{"check":',
      '"',
      "'",
      '\\',
      '}',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 6 }), (parts) => {
        expect(['check', 'wrong']).toContain(parsed(parts.join('')).state);
      }),
    );
  });
});

describe('words of a command line', () => {
  it.each<[string, string[]]>([
    ['', []],
    [' a\t\nb ', ['a', 'b']],
    [`a'b c'd"e f"`, ['ab cde f']],
    [`"a\\"b\\\\c\\n\\$x"`, ['a"b\\c\\n$x']],
    [`'$(x)' '|'`, ['$(x)', '|']],
    [`\\| \\$x`, ['|', '$x']],
  ])('%j', (line, words) => {
    expect(splitWords(line)).toEqual({ state: 'words', words });
  });

  it('come back as they were, however they are quoted for people', () => {
    const word = fc.string({ maxLength: 8 }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const line = words.map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(splitWords(line)).toEqual({ state: 'words', words });
      }),
    );
  });

  it('S57: a long line without an end is read in no time', () => {
    const [quoted, many] = [`"${'\\a'.repeat(50_000)}`, `${"'a'".repeat(50_000)}"`];
    expect(splitWords(quoted).state).toBe('wrong');
    expect(splitWords(many).state).toBe('wrong');
    expect(cpuSeconds(() => [splitWords(quoted), splitWords(many)])).toBeLessThan(5);
  });
});
