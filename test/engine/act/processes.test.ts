import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { livingOf } from '../../../src/engine/act/close/processes.ts';
import { until } from '../../support/until.ts';
import { ActingRoom } from './acting-room.ts';

let room: ActingRoom;
beforeEach(() => {
  room = new ActingRoom();
});
afterEach(() => room.leave());

it('what the kernel knows nothing of does not live, also where the process table cannot be read', async () => {
  const hands = await room.hands();
  const sense = () => ({ observedAt: Date.now(), byPid: new Map(), isComplete: false, problem: 'EMFILE' });
  const blind = { ...hands, processes: { ...hands.processes, sense } };
  const child = spawn('sleep', ['1000']);
  const { pid = 0 } = child;
  const { startTicks = 0 } = hands.processes.sense().byPid.get(pid) ?? {};
  // Above every pid_max, so that nobody has it.
  const gone = { pid: 4_194_305, startTicks: 7 };
  expect(livingOf(blind, [{ pid, startTicks }, gone])).toEqual([{ pid, startTicks }]);
  child.kill('SIGKILL');
  await until('it has ended', () => livingOf(blind, [{ pid, startTicks }]).length === 0);
});
