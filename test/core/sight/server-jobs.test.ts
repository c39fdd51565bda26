import { describe, expect, it } from 'vitest';
import { indexProcesses } from '../../../src/core/sight/pane-processes.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import { jobsOfServer } from '../../../src/core/sight/server-jobs.ts';

const SERVER = { pid: 10 };

function child(pid: number, more: Partial<Process> = {}): Process {
  return { pid, ppid: SERVER.pid, comm: 'sh', state: 'S', ...more } as Process;
}

function jobs(processes: readonly Process[], pipes = 0, readers: readonly number[] = []): number[] {
  const index = indexProcesses(new Map(processes.map((process) => [process.pid, process])));
  const among = () => new Set(readers);
  return jobsOfServer(index, SERVER, { pids: new Set([11]), pipes }, among).map(({ pid }) => pid);
}

describe('what a tmux server runs itself', () => {
  it('is every child of its own that is no pane, has not ended and is not tmux', () => {
    expect(jobs([child(11), child(12), child(13, { state: 'Z' }), child(14, { comm: 'tmux' })])).toEqual([
      12,
    ]);
    expect(jobs([child(15, { ppid: 11 })])).toEqual([]);
    expect(jobs([], 1)).toEqual([]);
  });

  it('is not what only reads what panes show, as long as there are as many pipes', () => {
    expect(jobs([child(12), child(13)], 1, [12])).toEqual([13]);
    expect(jobs([child(12), child(13)], 1, [12, 13])).toEqual([12, 13]);
    expect(jobs([child(12)], 0, [12])).toEqual([12]);
  });

  it('is told without a look at what is open where there is no pipe, or nothing that could be one', () => {
    const dear = () => {
      throw new Error('read what is open');
    };
    const index = indexProcesses(new Map([[12, child(12)]]));
    expect(jobsOfServer(index, SERVER, { pids: new Set(), pipes: 0 }, dear)).toHaveLength(1);
    expect(jobsOfServer(index, SERVER, { pids: new Set([12]), pipes: 1 }, dear)).toEqual([]);
  });
});
