import { expect, it } from 'vitest';
import { lastLineOf, uncommitted, unpushed } from '../../../src/core/verdict/work-lacks.ts';

it('counts what no commit has', () => {
  expect([0, 1, 2].map((dirtyFiles) => uncommitted({ dirtyFiles })?.text)).toEqual([
    undefined,
    '1 uncommitted file',
    '2 uncommitted files',
  ]);
});

it.each([
  [{ hasRemote: false, isMerged: true, unpushedCommits: 0 }, 'no-remote'],
  [{ hasRemote: true, isMerged: true, unpushedCommits: 3 }, undefined],
  [{ hasRemote: true, isMerged: false, unpushedCommits: 0 }, undefined],
  [{ hasRemote: true, isMerged: false, unpushedCommits: 3 }, '3'],
  // Not known is neither pushed nor a number.
  [{ hasRemote: true, isMerged: false }, null],
])('of commits %j the mark is %s', (facts, mark) => {
  expect(unpushed(facts)?.mark).toBe(mark);
});

it('tells the last line, as far as it can be shown', () => {
  expect(lastLineOf('a\n b\u001b[31m \n\n')).toBe(' (b\\e[31m)');
  expect([lastLineOf(''), lastLineOf('\n \n')]).toEqual(['', '']);
});
