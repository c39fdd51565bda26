import { expect, it, vi } from 'vitest';
import type { DaemonSighting } from '../../src/ports/daemon.ts';
import { fakeControl, run } from './fake-outside.ts';

const RUNNING: DaemonSighting = { state: 'running', pid: 42, since: 1, note: null, standing: null };

/** A daemon that gives its lock back when it is asked to, and whose process is there as long as this tells. */
function down(rest: () => string | null) {
  let seen: DaemonSighting = RUNNING;
  const control = fakeControl(RUNNING, {
    see: () => seen,
    askToStop: () => {
      seen = { state: 'absent' };
      return true;
    },
    watch: () => rest,
  });
  return run(['down'], { daemonControl: async () => control });
}

it('says that it ended once its process is gone', async () => {
  let asked = 0;
  const ran = await down(() => {
    asked += 1;
    return asked < 4 ? 'it still runs' : null;
  });
  expect(asked).toBe(4);
  expect(ran).toMatchObject({ exitCode: 0, stdout: 'the daemon (pid 42) ended\n' });
});

it('says what its process waits for, and never that it ended, as long as it is there', async () => {
  vi.useFakeTimers();
  try {
    const running = down(() => 'a file system or a device that gives no answer holds it');
    await vi.advanceTimersByTimeAsync(6000);
    const { exitCode, stdout, stderr } = await running;
    expect(exitCode).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(
      'the daemon (pid 42) stopped, but its process is still there: a file system or a device',
    );
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  ['up', 'a daemon runs already (pid 42'],
  ['down', 'the daemon (pid 42) ended'],
])('%s waits until whoever has just taken its lock says who it is', async (command, text) => {
  const unnamed: DaemonSighting = { state: 'unknown', text: 'nobody knows', hint: 'look', mayPass: true };
  const sights: DaemonSighting[] = [unnamed, unnamed, RUNNING];
  let seen: DaemonSighting = unnamed;
  const control = fakeControl(RUNNING, {
    see: () => {
      seen = sights.shift() ?? seen;
      return seen;
    },
    askToStop: () => {
      seen = { state: 'absent' };
      return true;
    },
  });
  const ran = await run([command], { daemonControl: async () => control });
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(text) });
});

it.each(['up', 'down'])('%s fails at once where another look would tell no more', async (command) => {
  let looks = 0;
  const see = (): DaemonSighting => {
    looks += 1;
    return { state: 'unknown', text: 'nobody knows', hint: 'look' };
  };
  const ran = await run([command], { daemonControl: async () => fakeControl(RUNNING, { see }) });
  expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nobody knows') });
  expect(looks).toBe(1);
});

it('up finds the daemon of another who was faster, also before that one says who it is', async () => {
  const unnamed: DaemonSighting = { state: 'unknown', text: 'nobody knows', hint: 'look', mayPass: true };
  const note = { format: 1, pid: 42, startTicks: 1, bootId: 'b', startedAt: 1, problems: [] } as const;
  const named: DaemonSighting = { ...RUNNING, note: { ...note, url: null, socket: null, tokenFile: null } };
  const sights: DaemonSighting[] = [{ state: 'absent' }, unnamed, unnamed];
  const control = fakeControl(RUNNING, {
    see: () => sights.shift() ?? named,
    startBehind: () => ({ pid: 43, ended: () => 'it ended with exit code 0' }),
  });
  const ran = await run(['up'], { daemonControl: async () => control });
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('the daemon runs (pid 42)') });
});
