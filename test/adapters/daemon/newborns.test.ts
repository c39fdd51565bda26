import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { childrenOf, createNewborns } from '../../../src/adapters/daemon/newborns.ts';
import { createPulse } from '../../../src/adapters/daemon/pulse.ts';
import type { Wake } from '../../../src/core/supervision/round.ts';
import { until } from '../../support/until.ts';
import { roundOf } from './daemon-samples.ts';

test('a program that a server started is felt once it stayed, and once; what comes and goes is not', () => {
  let now: number[] = [10];
  const newborns = createNewborns({ children: () => now, isProgram: () => true });
  newborns.follow([1], new Set([10]));
  const feel = (...pids: number[]) => {
    now = pids;
    return newborns.feel([1]);
  };
  expect(feel(10)).toBe(false);
  expect(feel(10, 11)).toBe(false);
  expect(feel(10, 12)).toBe(false);
  expect(feel(10, 12)).toBe(true);
  expect(feel(10, 12)).toBe(false);
  expect(feel(10)).toBe(false);
  expect(feel(10, 12)).toBe(false);
  expect(feel(10, 12)).toBe(true);
  newborns.follow([1], new Set([10, 12, 13]));
  expect([feel(10, 12, 13), feel(10, 12, 13)]).toEqual([false, false]);
});

test('a job that stays is asked once what it is, and is none', () => {
  const asked: number[] = [];
  const newborns = createNewborns({ children: () => [12], isProgram: (pid) => asked.push(pid) < 0 });
  expect([newborns.feel([1]), newborns.isUnsure(), asked]).toEqual([false, true, []]);
  expect([newborns.feel([1]), newborns.isUnsure(), asked]).toEqual([false, false, [12]]);
  expect([newborns.feel([1]), newborns.isUnsure(), asked]).toEqual([false, false, [12]]);
});

test('a server that sleeps is asked only as long as one of its children is new, and not once it is gone', () => {
  const asked: number[] = [];
  const children = (pid: number) => {
    asked.push(pid);
    return pid === 1 ? [12] : [];
  };
  const newborns = createNewborns({ children, isProgram: () => true });
  expect([newborns.feel([1, 2]), newborns.feel([]), newborns.feel([])]).toEqual([false, true, false]);
  expect(asked).toEqual([1, 2, 1]);
  newborns.follow([], new Set());
  expect([newborns.feel([1]), newborns.isUnsure()]).toEqual([false, true]);
  newborns.follow([], new Set());
  expect(newborns.isUnsure()).toBe(false);
});

test('a new pane wakes; a job of tmux that stays as long does not', async () => {
  const label = `newborns-${randomUUID().slice(0, 8)}`;
  const tmux = (...argv: string[]) =>
    execFileSync('tmux', ['-L', label, '-f', '/dev/null', ...argv], { encoding: 'utf8' }).trim();
  const woken: Wake[] = [];
  let beats = 0;
  const newborns = createNewborns();
  const feel = (awake: readonly number[]) => {
    beats += 1;
    return newborns.feel(awake);
  };
  // As where nothing tells turns: each beat asks.
  const pulse = createPulse({
    everyMs: 10,
    turns: () => null,
    newborns: { ...newborns, feel },
    cpuMs: () => 0,
  });
  try {
    const [server, first] = tmux('new-session', '-d', '-P', '-F', '#{pid} #{pane_pid}', 'sleep 1000').split(
      ' ',
    );
    newborns.follow([Number(server)], new Set([Number(first)]));
    tmux('run-shell', '-b', 'exec sleep 1000');
    await until('the job runs', () => childrenOf(Number(server)).length === 2);
    expect(childrenOf(4_194_303)).toEqual([]);
    pulse.start((why) => woken.push(why));
    await pulse.follow(
      roundOf({ servers: [{ socketPath: '/s', label: 's', version: '3.3a', pid: Number(server) }] }),
    );
    newborns.follow([Number(server)], new Set([Number(first)]));
    await until('it was asked several times', () => beats > 4);
    expect(woken).toEqual([]);
    tmux('new-session', '-d', 'sleep 1000');
    await until('it is felt', () => woken.includes('birth'));
  } finally {
    await pulse.stop();
    tmux('kill-server');
  }
});
