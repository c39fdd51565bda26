import { expect, it } from 'vitest';
import { isWithin } from '../../../src/core/agent/version.ts';

const range = { from: '2.1.300', to: '2.2' };

it.each<[string | undefined, boolean]>([
  ['2.1.300', true],
  ['2.1.325', true],
  ['2.2.0', true],
  ['2.2', true],
  ['2.1.299', false],
  ['2.1', false],
  ['2.2.1', false],
  ['10.0', false],
  ['2.1.325-beta', false],
  ['2.1.325; rm', false],
  ['', false],
  [undefined, false],
])('%s lies within the verified range: %s', (version, isInside) => {
  expect(isWithin(version, range)).toBe(isInside);
});

it('a pre-release lies in no range, however far from its ends', () => {
  expect([isWithin('2.0', { from: '1', to: '3' }), isWithin('2.0-beta', { from: '1', to: '3' })]).toEqual([
    true,
    false,
  ]);
});

it('nothing lies within a range that is not made of versions', () => {
  expect(isWithin('1.0', { from: 'x', to: '2' })).toBe(false);
  expect(isWithin('1.0', { from: '1', to: 'x' })).toBe(false);
});
