import { describe, expect, it } from 'vitest';
import { indexProcesses } from '../../../src/core/sight/pane-processes.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import { listedUsers, mayUseTerminals, tiedTo } from '../../../src/core/sight/terminal-users.ts';

const SERVER = { pid: 5, startTicks: 50 };

const process = (pid: number, over: Partial<Process> = {}): Process => ({
  ...{ pid, ppid: 1, pgid: pid, sid: pid, tpgid: -1, state: 'S', startTicks: 60, startedAt: 0 },
  ...{ comm: 'x', cpuMs: 0, rssBytes: 0 },
  ...over,
});
const indexOf = (...all: Process[]) => indexProcesses(new Map(all.map((one) => [one.pid, one])));

describe('who may have the terminal of a pane', () => {
  it('is neither process 1, a kernel thread, a zombie, tmux, nor older than the server', () => {
    const index = indexOf(
      process(1),
      process(2, { ppid: 0, comm: 'kthreadd' }),
      process(3, { ppid: 2 }),
      process(40, { startTicks: 49 }),
      process(41, { state: 'Z' }),
      process(42, { comm: 'tmux: server' }),
      process(43, { startTicks: 50 }),
      process(44),
    );
    expect(mayUseTerminals(index, SERVER).map(({ pid }) => pid)).toEqual([43, 44]);
  });

  it('is anything in a container, where no number is the kernel’s', () => {
    const index = indexOf(process(1, { ppid: 0 }), process(2), process(3), process(44, { ppid: 2 }));
    expect(mayUseTerminals(index, SERVER).map(({ pid }) => pid)).toEqual([2, 3, 44]);
    const outside = indexOf(process(2, { comm: 'kthreadd' }), process(44, { ppid: 2 }));
    expect(mayUseTerminals(outside, SERVER).map(({ pid }) => pid)).toEqual([2, 44]);
    expect(mayUseTerminals(indexOf(process(44, { ppid: 2 })), SERVER)).toHaveLength(1);
  });

  it('is tied to it by its tree, its session or its mark, or by nothing', () => {
    const marked = process(70);
    const index = indexOf(
      process(10, { ppid: 5, sid: 10 }),
      process(11, { ppid: 10, sid: 11 }),
      process(12, { ppid: 1, sid: 10 }),
      marked,
      process(80),
    );
    const pane = { pid: 10, isDead: false, server: SERVER, marked: [marked] };
    expect([...tiedTo([pane], index)].sort()).toEqual([10, 11, 12, 70]);
  });

  it('is named, the first of several', () => {
    const user = { program: 'train.py', pid: 80 };
    expect(listedUsers([user])).toBe('train.py (pid 80)');
    expect(listedUsers([user, user, user])).toBe('train.py (pid 80) and 2 more');
  });
});
