import { describe, expect, it } from 'vitest';
import { membersOf, parseJsonText, plainValue } from '../../../src/adapters/hook-config/json-text.ts';

const broken = (text: string, comments = false) => {
  const read = parseJsonText(text, { comments });
  return read.state === 'broken' ? `${read.at}: ${read.text}` : 'parsed';
};

describe('what an agent would not read', () => {
  it.each([
    ['{"a":1,}', '7: there is a comma too many before this'],
    ['[1,]', '3: there is a comma too many before this'],
    ['{a:1}', '1: a name in double quotes must stand here'],
    ["{'a':1}", '1: a name in double quotes must stand here'],
    ['{"a":1,b:2}', '7: a name in double quotes must stand here'],
    ['{"a" 1}', '5: a colon must stand here'],
    ['{"a":1 "b":2}', '7: a comma or } must stand here'],
    ['[1 2]', '3: a comma or ] must stand here'],
    ['{"a":1', '6: a comma or } must stand here'],
    ['[1', '2: a comma or ] must stand here'],
    ['{"a":', '5: the file ends too early'],
    ['{"a":x}', '5: this is not JSON'],
    ['[01]', '2: a comma or ] must stand here'],
    ['[1.]', '1: this is not JSON'],
    ['{} {}', '3: nothing may follow the end of the JSON'],
    ['{"a', '1: this string has no end'],
    ['{"\\x":1}', '1: this string holds something that JSON does not allow'],
    ['{"\u0001":1}', '1: this string holds something that JSON does not allow'],
    ['{// a\n}', '1: the agent reads no comments in this file'],
    ['{"a":1 /* b */}', '7: the agent reads no comments in this file'],
    ['[\u00a01]', '1: this is not JSON'],
  ])('%j', (text, mistake) => {
    expect(broken(text)).toBe(mistake);
  });

  it('is a comment without its end, also where comments are read', () => {
    expect(broken('{/* a }', true)).toBe('1: this comment has no end');
  });

  it('is a comment that goes on for the agent where it ends for others', () => {
    expect(broken('{// a\r"b":1\n}', true)).toBe('5: a comment ends here with half of a line end');
    expect(broken('{// a\r\n"b":1\r\n}', true)).toBe('parsed');
  });

  it('is what is nested without end', () => {
    expect(broken('['.repeat(100) + ']'.repeat(100))).toBe('parsed');
    expect(broken('['.repeat(101))).toBe('100: it is nested too deeply');
    expect(broken('{"a":'.repeat(1_000_000))).toBe('500: it is nested too deeply');
  });
});

it('keeps doubled names and odd ones, and finds the place of each behind a byte order mark', () => {
  const read = parseJsonText('\ufeff{"a":1, "__proto__":[null], "a":2}', { comments: false });
  if (read.state === 'broken') throw new Error(read.text);
  expect(membersOf(read.root).map(({ key, start }) => [key, start])).toEqual([
    ['a', 2],
    ['__proto__', 9],
    ['a', 29],
  ]);
  expect(JSON.stringify(plainValue(read.root))).toBe('{"a":2,"__proto__":[null]}');
  expect(read.commas).toEqual([7, 27]);
});
