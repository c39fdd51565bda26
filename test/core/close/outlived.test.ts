import { describe, expect, it } from 'vitest';
import { outlivedBy, type Sighted } from '../../../src/core/close/outlived.ts';

const agent = (pid: number, run: string | null, ...argv: string[]): Sighted => ({
  ...{ pid, run, argv, conversation: null },
});
const pids = (found: readonly Sighted[]) => found.map(({ pid }) => pid);

describe('whoever may still be at a conversation', () => {
  const all = [
    agent(1, 'run', 'claude'),
    agent(2, null, 'claude', '--resume', 'id'),
    agent(3, 'other', 'claude', '--resume=id'),
    agent(4, 'other', 'claude', '--resume', 'id-2'),
    agent(5, null, 'claude'),
    { ...agent(6, null, 'claude', '--continue'), conversation: 'id' },
    agent(7, 'later', 'claude'),
    agent(8, null, 'claude', '-rid'),
    agent(9, null, 'claude', 'valid'),
  ];

  it('bears the mark of a run, says that it has it, or has its id among its arguments', () => {
    const runs = new Set(['run', 'later']);
    expect(pids(outlivedBy(all, { runs, conversation: 'id' }))).toEqual([1, 2, 3, 6, 7, 8]);
  });

  it('is nobody where neither is known', () => {
    expect(pids(outlivedBy(all, { runs: new Set(), conversation: null }))).toEqual([]);
  });
});
