import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { childrenOf, createNewborns, createPulse } from '../../../src/adapters/daemon/pulse.ts';
import { isRunning } from '../../../src/adapters/programs/end-group.ts';
import type { Wake } from '../../../src/core/supervision/round.ts';
import { entry, pane } from '../../cli/render/samples.ts';
import { until } from '../../support/until.ts';
import { roundOf } from './daemon-samples.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
const start = (): ChildProcess & { pid: number } => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  children.push(child);
  return child as ChildProcess & { pid: number };
};

test('the death of a pane’s program, of an agent and of a server each wake, and only once', async () => {
  const [program, agent, server] = [start(), start(), start()];
  const woken: Wake[] = [];
  const pulse = createPulse({ everyMs: 10, newborns: createNewborns(() => []) });
  pulse.start((why) => woken.push(why));
  const alive = roundOf({
    servers: [{ socketPath: '/s', label: 's', version: '3.3a', pid: server.pid }],
    sessions: [
      entry('a', {
        panes: [pane({ pid: program.pid }), pane({ pid: 0 }), pane({ pid: 4_194_303, isDead: true })],
        agent: { kind: 'claude', version: null, conversation: null, pid: agent.pid },
      }),
      entry('b', { agent: null }),
    ],
  });
  try {
    await pulse.follow(alive);
    for (const [count, victim] of [program, agent, server].entries()) {
      victim.kill('SIGKILL');
      await until('it is felt', () => woken.length > count);
    }
    // The same dead again: nothing new.
    await pulse.follow(alive);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(woken).toEqual(['death', 'death', 'death']);
    await pulse.follow(roundOf());
  } finally {
    await pulse.stop();
  }
});

test('a process of another user is there', () => {
  expect(isRunning(1)).toBe(true);
  expect(isRunning(4_194_303)).toBe(false);
});

test('a program that a server started is felt once it stayed, and once; jobs that come and go are not', () => {
  let now: number[] = [10];
  const newborns = createNewborns(() => now);
  newborns.follow([1], new Set([10]));
  const feel = (...pids: number[]) => {
    now = pids;
    return newborns.feel();
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

test('the kernel tells the children of a process', async () => {
  const child = start();
  await until('it is listed', () => childrenOf(process.pid).includes(child.pid));
  expect(childrenOf(4_194_303)).toEqual([]);
});

test('a newborn wakes', async () => {
  const woken: Wake[] = [];
  const pulse = createPulse({ everyMs: 10 });
  pulse.start((why) => woken.push(why));
  await pulse.follow(
    roundOf({ servers: [{ socketPath: '/s', label: 's', version: '3.3a', pid: process.pid }] }),
  );
  start();
  await until('it is felt', () => woken.includes('birth'));
  await pulse.stop();
});
