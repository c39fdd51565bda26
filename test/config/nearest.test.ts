import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';
import { cpuSeconds } from '../support/cpu-seconds.ts';

const KEYS = ['idleAfter', 'exitedAfter', 'hungAfter', 'tmux.timeout', 'git.timeout', 'protect'];

describe('the nearest word', () => {
  it.each([
    ['idleafter', 'idleAfter'],
    ['idelAfter', 'idleAfter'],
    ['idleAftre', 'idleAfter'],
    ['exitAfter', 'exitedAfter'],
    ['tmux', 'tmux.timeout'],
    ['timeout', 'git.timeout'],
    ['portect', 'protect'],
    ['PROTECT', 'protect'],
  ])('to %s is %s', (word, meant) => {
    expect(nearest(word, KEYS)).toEqual([meant]);
  });

  it.each(['colour', 'x', '', 'zzzzzzzzzzzz'])('to %j is none', (word) => {
    expect(nearest(word, KEYS)).toEqual([]);
  });

  it('comes first, and only as many as asked for', () => {
    expect(nearest('build', ['build-2', 'built', 'build-1', 'guild', 'other'], 3)).toEqual([
      'built',
      'guild',
      'build-1',
    ]);
  });

  it('is found at once among a thousand long names', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `${'n'.repeat(300)}${index}`);
    expect(cpuSeconds(() => nearest(`${'n'.repeat(299)}m`, names, 3))).toBeLessThan(5);
  });
});
