import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { endGroup } from '../../../src/adapters/programs/end-group.ts';
import { until } from '../../support/until.ts';

const started: ChildProcess[] = [];

/** A shell in a group of its own that tells the pid of what it leaves running. */
async function leader(script: string): Promise<{ readonly child: ChildProcess; readonly left: number }> {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  const [line] = await once(child.stdout, 'data');
  return { child, left: Number(String(line).trim()) };
}

const lives = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

afterEach(() => {
  for (const child of started.splice(0)) {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});

describe('the group of a child', () => {
  test('ends with the child', async () => {
    const { child, left } = await leader('sleep 1000 & echo $!; wait');
    endGroup(child);
    await until('both are gone', () => !lives(child.pid ?? 0) && !lives(left));
  });

  test('ends after the child, which left somebody behind', async () => {
    const { child, left } = await leader('sleep 1000 >&- 2>&- & echo $!');
    await until('the child is reaped', () => child.exitCode !== null);
    expect(lives(left)).toBe(true);
    endGroup(child);
    await until('what it left is gone', () => !lives(left));
  });

  test('S6: is not taken for that of somebody who has the number of a reaped child', async () => {
    const { child } = await leader('echo 0; exec sleep 1000');
    endGroup({ pid: child.pid ?? 0, exitCode: 0, signalCode: null });
    expect(lives(child.pid ?? 0)).toBe(true);
    expect(child.signalCode).toBeNull();
  });
});
