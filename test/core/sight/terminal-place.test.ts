import { expect, it } from 'vitest';
import type { Process } from '../../../src/core/sight/process.ts';
import { terminalPlace } from '../../../src/core/verdict/whose.ts';

const process = (pid: number, ppid: number, sid: number, ttyNumber?: number, comm = 'x') =>
  ({ pid, ppid, sid, comm, ...(ttyNumber !== undefined && { ttyNumber }) }) as Process;

const SERVER = process(5, 1, 5, 0, 'tmux: server');
const SHELL = process(10, 5, 10, 77);

it.each([
  ['the program of a pane', SHELL, 'pane'],
  ['what runs in its terminal session', process(11, 10, 10, 77), 'pane'],
  ['what kept that session and lost its parent', process(12, 1, 10, 77), 'pane'],
  ['what left it for none', process(13, 10, 13, 0), 'none'],
  ['what left it for another terminal', process(14, 10, 14, 78), 'other'],
  ['what is in a session whose leader is gone', process(15, 1, 99, 0), 'none'],
  ['what nobody tells the terminal of', process(16, 10, 16), null],
])('%s is in: %s', (_, one, place) => {
  const byPid = new Map([SERVER, SHELL, one].map((each) => [each.pid, each]));
  expect(terminalPlace(one, byPid)).toBe(place);
});
