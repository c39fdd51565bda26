import { expect, it } from 'vitest';
import { readExcused, staleIn } from './excused.ts';
import { type Mutant, nameIn } from './mutant.ts';
import { resultOf } from './result.ts';
import { mutantsIn, sourcesIn } from './scope.ts';

const mutant = (id: number, change: string): Mutant => ({
  ...{ id, file: 'a.ts', line: id, within: 'a', change, isStatic: false },
});
const all = [mutant(0, 'x → true'), mutant(1, 'x → false'), mutant(2, 'y → true')];

it('a mutant is killed, listed with a reason, or has survived', () => {
  const answers = [
    { kind: 'killed', id: 0, by: 'a test', how: 'red' },
    { kind: 'survived', id: 1, tests: 3 },
    { kind: 'survived', id: 2, tests: 0 },
  ] as const;
  const { killed, listed, survived, problems } = resultOf(all, answers, {
    'a.ts': { 'it saves work only': ['a: x → false'] },
  });
  expect([killed, listed, survived].map((some) => some.map(nameIn))).toEqual([
    ['a: x → true'],
    ['a: x → false'],
    ['a: y → true'],
  ]);
  expect(problems).toEqual([]);
});

it('what is listed and killed, or is no mutant any more, is wrong; and a test that is red without any', () => {
  const { problems } = resultOf(
    all,
    [
      { kind: 'killed', id: 0, by: 'a test', how: 'red' },
      { kind: 'unfit', test: 'another', isRed: true },
      { kind: 'unfit', test: 'tells something else when it is run again', isRed: false },
    ],
    { 'a.ts': { why: ['a: x → true', 'a: z → true'] }, 'not-run.ts': { why: ['b: x → true'] } },
  );
  expect(problems).toEqual([
    'excused, and no mutant any more: a.ts a: z → true',
    'excused, and found by a test: a.ts a: x → true',
    'red without any mutant: another',
  ]);
});

it('every mutant that is excused is one', () => {
  const excused = readExcused();
  const files = Object.keys(excused);
  expect(files.filter((file) => !sourcesIn([]).includes(file))).toEqual([]);
  expect(staleIn(excused, files, mutantsIn(files))).toEqual([]);
});
