import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createProcessAncestry } from '../../../src/adapters/proc/process-ancestry.ts';
import { allAgents } from '../../../src/compose/look/agents.ts';
import { until } from '../../support/until.ts';

test('sees who is above, up to the first process, with their words', () => {
  const above = createProcessAncestry().ancestors();
  expect(above[0]?.pid).toBe(process.ppid);
  expect(above.at(-1)?.pid).toBe(1);
  expect(above[0]?.argv.length).toBeGreaterThan(0);
  expect(above.every(({ startTicks }) => startTicks >= 0)).toBe(true);
});

test('sees who is below, who lives, and that the nearest above are still the same', async () => {
  const shell = spawn('sh', ['-c', 'sleep 1000 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = await once(shell.stdout, 'data');
  const [pid, child] = [shell.pid ?? 0, Number(String(said))];
  onTestFinished(() => {
    for (const one of [pid, child]) kill(one);
  });
  const ancestry = createProcessAncestry({ self: { ppid: child } });
  // Between the fork and the exec it still has the words of its shell.
  const [sleep, above] = await until(
    'the program runs',
    () => createProcessAncestry({ self: { ppid: child } }).ancestors(),
    ([first]) => first?.argv[0] === 'sleep',
  );
  expect([sleep?.pid, sleep?.argv, above?.pid]).toEqual([child, ['sleep', '1000'], pid]);
  const marks = {
    shell: { pid, startTicks: above?.startTicks ?? 0 },
    sleep: { pid: child, startTicks: sleep?.startTicks ?? 0 },
  };
  expect(ancestry.below(marks.shell).map((one) => one.pid)).toEqual([child]);
  expect(ancestry.below({ ...marks.shell, startTicks: 1 })).toEqual([]);
  expect(ancestry.isAlive(marks.sleep)).toBe(true);
  expect(ancestry.isAlive({ ...marks.sleep, startTicks: 1 })).toBe(false);
  expect(ancestry.isUnbroken()).toBe(true);
  // Two steps up: the one between lives on and has another parent.
  shell.kill('SIGKILL');
  await once(shell, 'exit');
  expect([ancestry.isUnbroken(), ancestry.isAlive(marks.shell)]).toEqual([false, false]);
  expect(ancestry.isAlive(marks.sleep)).toBe(true);
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

test('S53: the shells of a hook are no agents, whatever they are called with', () => {
  for (const { kind, recognises, isShared } of allAgents()) {
    for (const argv of [
      ['/bin/sh', '/home/me/.local/state/rollcall/hook.sh', kind, 'Stop'],
      ['sh', '-c', `'/state/rollcall/hook.sh' ${kind} Stop`],
      ['timeout', '-s', 'KILL', '1.7', '/usr/bin/node', '/x/rollcall.cjs', '__stop', '/x/gate', 'name'],
      ['/usr/bin/node', '/x/rollcall.cjs', '__stop', '/x/gate', 'name'],
    ]) {
      expect([kind, recognises(argv), isShared?.(argv) ?? false]).toEqual([kind, false, false]);
    }
  }
});
