import { expect, it } from 'vitest';
import {
  isCount,
  isFlag,
  isNumber,
  isText,
  isTime,
  listOf,
  missingOr,
  nullOr,
  oneOf,
  shape,
  textLike,
} from '../../../src/adapters/files/shape.ts';

const isPerson = shape<{ name: string; age?: number }>({ name: isText, age: missingOr(isCount) });

it.each([
  [isPerson, { name: 'x' }, { name: 1 }],
  [isPerson, { name: 'x', age: 3, more: true }, { name: 'x', age: -1 }],
  [isPerson, { name: '' }, ['x']],
  [isPerson, { name: '' }, null],
  [isFlag, false, 'false'],
  [isNumber, -1.5, Number.POSITIVE_INFINITY],
  [isTime, 0, -1],
  [isTime, 0.5, '0.5'],
  [isCount, 0, 0.5],
  [textLike(/^a/), 'ab', 'ba'],
  [textLike(/1/), '1', 1],
  [oneOf([1, 'b']), 'b', '1'],
  [listOf(isText), ['a'], ['a', 1]],
  [listOf(isText), [], { length: 0 }],
  [nullOr(isText), null, undefined],
  [missingOr(isText), undefined, null],
])('%#: takes what it should and nothing else', (test, right, wrong) => {
  expect([test(right), test(wrong)]).toEqual([true, false]);
});
