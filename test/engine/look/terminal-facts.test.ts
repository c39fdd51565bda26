import { expect, it } from 'vitest';
import type { Process } from '../../../src/core/sight/process.ts';
import { createTerminalFacts } from '../../../src/engine/look/terminal-facts.ts';

const process = (pid: number, ppid: number, sid: number, ttyNumber: number, comm = 'x') =>
  ({ pid, ppid, sid, ttyNumber, comm }) as Process;

const SERVER = process(5, 1, 5, 0, 'tmux: server');
const SHELL = process(10, 5, 10, 77);
const RECORDER = process(11, 10, 10, 77, 'script');
const RECORDED = process(12, 11, 12, 78);
const DETACHED = process(13, 10, 13, 0);

function factsOf(...line: Process[]) {
  const asked: number[] = [];
  const byPid = new Map([SERVER, SHELL, RECORDER, RECORDED, DETACHED].map((one) => [one.pid, one]));
  const keepTerminals = (processes: Iterable<{ readonly pid: number }>) => {
    const pids = [...processes].map(({ pid }) => pid);
    asked.push(...pids);
    return new Map(pids.map((pid) => [pid, pid === RECORDER.pid]));
  };
  const facts = createTerminalFacts(byPid, { keepTerminals });
  facts(line);
  return { facts: facts(line), asked };
}

it('asks nothing of what is in the terminal of a pane', () => {
  expect(factsOf(RECORDER, SHELL)).toEqual({
    facts: [{ terminal: 'pane' }, { terminal: 'pane' }],
    asked: [],
  });
});

it('asks what has no terminal whether it keeps one, once', () => {
  expect(factsOf(DETACHED, SHELL)).toEqual({
    facts: [{ terminal: 'none', keepsTerminal: false }, { terminal: 'pane' }],
    asked: [13],
  });
});

it('asks everything above what has another terminal', () => {
  expect(factsOf(RECORDED, RECORDER, SHELL)).toEqual({
    facts: [
      { terminal: 'other' },
      { terminal: 'pane', keepsTerminal: true },
      { terminal: 'pane', keepsTerminal: false },
    ],
    asked: [11, 10],
  });
});
