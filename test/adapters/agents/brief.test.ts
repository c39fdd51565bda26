import { expect, it } from 'vitest';
import { createBrief } from '../../../src/adapters/agents/common/brief.ts';

const counter = () => {
  let count = 0;
  return () => {
    count += 1;
    return count;
  };
};

it('keeps an answer for a while, for each key', () => {
  const [brief, ask] = [createBrief<number>(10, 100), counter()];
  expect([brief('a', 0, ask), brief('a', 99, ask), brief('b', 99, ask), brief('a', 100, ask)]).toEqual([
    1, 1, 2, 3,
  ]);
});

it('asks again after the clock was set back', () => {
  const [brief, ask] = [createBrief<number>(10, 100), counter()];
  expect([brief('a', 1000, ask), brief('a', 999, ask)]).toEqual([1, 2]);
});

it('keeps no more than so many', () => {
  const [brief, ask] = [createBrief<number>(1, 100), counter()];
  expect([brief('a', 0, ask), brief('b', 0, ask), brief('a', 0, ask)]).toEqual([1, 2, 3]);
});
