import { describe, expect, it } from 'vitest';
import type { Process } from '../../../src/core/sight/process.ts';
import { type Carrier, leftRunning } from '../../../src/core/verdict/left-running.ts';

const GIVEN = { tmux: '/tmp/tmux-0/default,7,0', tmuxPane: '%1' };

function carrier(pid: number, process: Partial<Process> = {}, over: Partial<Carrier> = {}): Carrier {
  return {
    process: {
      ...{ pid, ppid: 1, pgid: pid, sid: pid, ttyNumber: 0, tpgid: -1, state: 'S', startTicks: pid },
      ...{ startedAt: 0, comm: 'sleep', cpuMs: 0, rssBytes: 0 },
      ...process,
    },
    ...{ ...GIVEN, isListening: false, keepsTerminal: false },
    ...over,
  };
}

function left(...carriers: Carrier[]): number[] {
  const byPid = new Map(carriers.map(({ process }) => [process.pid, process]));
  return leftRunning(carriers, byPid, GIVEN).map(({ pid }) => pid);
}

describe('what a program left running', () => {
  it('ends with it', () => {
    expect(left(carrier(10), carrier(11, { ppid: 10 }))).toEqual([10, 11]);
    expect(left(carrier(10, { state: 'Z' }), carrier(11, { state: 'X' }))).toEqual([]);
    const dead = carrier(10, { state: 'Z' }, { keepsTerminal: null });
    expect(left(dead, carrier(11, { ppid: 10 }))).toEqual([11]);
  });

  it.each<[string, Carrier]>([
    ['a server that others connect to', carrier(10, {}, { isListening: true })],
    ['a tmux server', carrier(10, { comm: 'tmux: server' })],
    ['a keeper of keys', carrier(10, { comm: 'ssh-agent' })],
    ['a window that keeps a terminal', carrier(10, {}, { keepsTerminal: true })],
    ['what may keep a terminal', carrier(10, {}, { keepsTerminal: null })],
    ['what has a terminal', carrier(10, { ttyNumber: 34_816 })],
    ['what may have a terminal', carrier(10, { ttyNumber: undefined as never })],
    ['what runs in another pane', carrier(10, {}, { tmuxPane: '%2' })],
    ['what runs in another tmux server', carrier(10, {}, { tmux: '/tmp/other,8,0' })],
    ['what was told of no pane', carrier(10, {}, { tmux: undefined, tmuxPane: undefined })],
  ])('stays where it is %s, with everything below it', (_, kept) => {
    expect(left(kept, carrier(11, { ppid: 10 }), carrier(12, { ppid: 11 }), carrier(13))).toEqual([13]);
  });

  it('does not stay for what stays beside it below something else', () => {
    const server = carrier(10, { ppid: 5 }, { isListening: true });
    const all = [server, carrier(11, { ppid: 5 })];
    const byPid = new Map([carrier(5), ...all].map(({ process }) => [process.pid, process]));
    expect(leftRunning(all, byPid, GIVEN).map(({ pid }) => pid)).toEqual([11]);
  });

  it('stays above and beside what stays, as far as the program left it', () => {
    const window = carrier(12, { ppid: 11 }, { keepsTerminal: true });
    const wrapped = [carrier(10), carrier(11, { ppid: 10 }), window, carrier(13, { ppid: 10 })];
    expect(left(...wrapped, carrier(14))).toEqual([14]);
  });
});
