import { spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { createProcessOwners } from '../../../src/adapters/proc/process-owners.ts';
import { createProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import { until } from '../../support/until.ts';

const pids: number[] = [];
afterEach(() => {
  for (const pid of pids.splice(0)) process.kill(pid, 'SIGKILL');
});

const sense = (pid: number) => createProcessSensor().sense().byPid.get(pid);

async function started(uid?: number): Promise<{ pid: number; startTicks: number }> {
  const { pid = 0 } = spawn('sleep', ['1000'], {
    stdio: 'ignore',
    ...(uid !== undefined && { uid, gid: uid }),
  });
  pids.push(pid);
  const found = await until('it is seen', () => sense(pid));
  return { pid, startTicks: found?.startTicks ?? 0 };
}

test('S34: tells whose a process is', async () => {
  const own = await started();
  const uid = process.getuid?.() ?? 0;
  expect(createProcessOwners().uids([own])).toEqual(new Map([[own.pid, uid]]));
});

test.skipIf(process.getuid?.() !== 0)('S34: root sees that a process is another user’s', async () => {
  const other = await started(65534);
  expect(createProcessOwners().uids([other])).toEqual(new Map([[other.pid, 65534]]));
});

test('tells who was told to outlive its terminal', async () => {
  const plain = await started();
  const { pid = 0 } = spawn('nohup', ['sleep', '1000'], { stdio: 'ignore' });
  pids.push(pid);
  const kept = await until('it sleeps', () => (sense(pid)?.comm === 'sleep' ? sense(pid) : undefined));
  expect(createProcessOwners().ignoresHangup([plain, { pid, startTicks: kept?.startTicks ?? 0 }])).toEqual(
    new Map([
      [plain.pid, false],
      [pid, true],
    ]),
  );
  expect(createProcessOwners({ platform: 'darwin' }).ignoresHangup([plain])).toEqual(new Map());
});

test('S6: of another process with the same pid nothing is told', async () => {
  const { pid, startTicks } = await started();
  expect(createProcessOwners().uids([{ pid, startTicks: startTicks + 1 }])).toEqual(new Map());
  expect(createProcessOwners().uids([{ pid: 2 ** 22 + 1, startTicks: 1 }])).toEqual(new Map());
});

test('where there is no /proc, ps is asked once for all', () => {
  const asked: (readonly number[])[] = [];
  const ps = (these: readonly number[]) => {
    asked.push(these);
    return '  7  501\n 9 0\nrubbish\n';
  };
  const owners = createProcessOwners({ platform: 'darwin', ps });
  const marks = [7, 8, 9].map((pid) => ({ pid, startTicks: 1 }));
  expect(owners.uids(marks)).toEqual(
    new Map([
      [7, 501],
      [9, 0],
    ]),
  );
  expect(owners.uids([])).toEqual(new Map());
  expect(asked).toEqual([[7, 8, 9]]);
});
