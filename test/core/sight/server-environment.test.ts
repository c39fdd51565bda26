import { expect, it } from 'vitest';
import { namesInEnvironment } from '../../../src/core/sight/server-environment.ts';

it.each([
  ['nothing', '', []],
  ['a variable', 'A="1"; export A;\n', ['A']],
  ['one that was taken away', 'unset A;\nB="2"; export B;\n', ['B']],
  ['lines of a value that look like variables', 'KEY="x\nB=2\nunset C;\n"; export KEY;\n', ['KEY']],
  ['a value that quotes an entry', 'A="\\"; export A;\nB=\\"b\\""; export A;\n', ['A']],
  ['a backslash at the end of a value', 'A="\\\\"; export A;\nB="2"; export B;\n', ['A', 'B']],
  ['names that are no identifiers', 'x\ny="1"; export x\ny;\nB="2"; export B;\n', ['x\ny', 'B']],
])('%s', (_, printed, names) => {
  expect(namesInEnvironment(printed)).toEqual(names);
});

it.each([
  ['half an entry', 'A="1"; export A'],
  ['an entry of two names', 'A="1"; export B;\n'],
  ['lines without quotes', 'A=1\nB=2\n'],
])('%s tells nothing for certain', (_, printed) => {
  expect(namesInEnvironment(printed)).toBeNull();
});

it.each([
  ['a value without end', 'A="x'],
  ['no name', '="x"; export ;\n'],
  ['a name with a sign in it', 'A=b="x"; export A=b;\n'],
  ['another name behind the value', 'A="x"; export B;\n'],
  ['an entry that unsets without end', 'unset A'],
  ['an entry that unsets a value', 'unset A=b;\n'],
  ['something else', 'garbage'],
  ['something else that ends like an entry', 'garbage;\n'],
])('reads nothing where there is %s', (_, printed) => {
  expect(namesInEnvironment(printed)).toBeNull();
});
