import { describe, expect, it } from 'vitest';
import { outlivedBy, type Sighted } from '../../../src/core/close/outlived.ts';

const agent = (pid: number, run: string | null, ...argv: string[]) =>
  ({ process: { pid }, details: { argv }, run }) as unknown as Sighted;
const pids = (found: readonly Sighted[]) => found.map(({ process }) => process.pid);

describe('whoever may still be at a conversation', () => {
  const all = [
    agent(1, 'run', 'claude'),
    agent(2, null, 'claude', '--resume', 'id'),
    agent(3, 'other', 'claude', '--resume=id'),
    agent(4, 'other', 'claude', '--resume', 'id-2'),
    agent(5, null, 'claude'),
  ];

  it('bears the mark of the run, or has its id among its arguments', () => {
    expect(pids(outlivedBy(all, { run: 'run', conversation: 'id' }))).toEqual([1, 2, 3]);
  });

  it('is nobody where neither is known', () => {
    expect(pids(outlivedBy(all, { run: null, conversation: null }))).toEqual([]);
  });
});
