import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorDocumentSchema } from '../../src/contract/document-schemas.ts';
import { waitDocumentSchema } from '../../src/contract/guard-schemas.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { type RealLook, realLook } from '../support/real-look.ts';
import { until } from '../support/until.ts';
import { type Ran, run } from './fake-outside.ts';

let tmux: PrivateTmux;
let look: RealLook;
beforeEach(() => {
  tmux = new PrivateTmux('awaited');
  look = realLook([tmux]);
});
afterEach(() => tmux.stop());

let looks = 0;
let interrupt: () => void;
const wait = async (...argv: string[]): Promise<{ ended: Promise<Ran> }> => {
  looks = 0;
  const listeners: (() => void)[] = [];
  interrupt = () => {
    for (const listener of listeners) listener();
  };
  const ended = run(['wait', ...argv], {
    roll: async (options) => {
      const roll = await look.roll(options);
      looks += 1;
      return roll;
    },
    onSignal: (signal, listener) => {
      if (signal === 'SIGINT') listeners.push(listener);
      return () => {};
    },
  });
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  await until('it looked', () => looks > 0 || isOver);
  return { ended };
};
const waited = async (...argv: string[]) => (await wait(...argv)).ended;

describe('rollcall wait', () => {
  it('ends at once when the state is there, with one line', async () => {
    await tmux.session('build');
    const ran = await waited('build', '--until', 'idle,none', '--timeout', '10m');
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'build: none\n', stderr: '' });
  });

  it('looks again until it is there', async () => {
    const { paneId } = await tmux.session('build', 'sh', '-c', 'sleep 1000; exec sh -i');
    const { ended } = await wait('build', '--until', 'none', '--timeout', '10m', '--json');
    await tmux.tmux('respawn-pane', '-k', '-t', paneId, 'env PS1=$ sh -i');
    const ran = await ended;
    expect(ran.exitCode).toBe(0);
    const { sessions } = v.parse(waitDocumentSchema, JSON.parse(ran.stdout));
    expect(sessions).toMatchObject([{ name: 'build', server: 'awaited', reached: 'none', isGone: false }]);
  });

  it('listens once for its end, however often it looks', async () => {
    const listens = vi.spyOn(AbortSignal.prototype, 'addEventListener');
    const forgets = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
    await tmux.session('build', 'sleep', '1000');
    const { ended } = await wait('build', '--until', 'none');
    await until('it has looked four times', () => looks > 4);
    expect(listens.mock.calls.length - forgets.mock.calls.length).toBeLessThan(4);
    interrupt();
    await ended;
    vi.restoreAllMocks();
  });

  it('waits for all, or for any', async () => {
    await tmux.session('a');
    await tmux.session('b', 'sleep', '1000');
    const any = await waited('a', 'b', '--any', '--until', 'none', '--timeout', '10m');
    expect(any).toMatchObject({ exitCode: 0, stdout: 'a: none\n' });
    const all = await waited('a', 'b', '--until', 'none', '--timeout', '700ms');
    expect(all).toMatchObject({ exitCode: 6, stdout: 'a: none\n' });
  });

  it('exits 6 when the time is up, and says where each stands', async () => {
    await tmux.session('build', 'sleep', '1000');
    await until(
      'it works',
      async () => (await look.session('build')).activity,
      (one) => one === 'working',
    );
    const ran = await waited('build', '--until', 'idle', '--timeout', '500ms');
    expect(ran.exitCode).toBe(6);
    expect(ran.stderr).toContain('timed out waiting for idle');
    expect(ran.stderr).toContain('build: working, active');
    const document = await waited('build', '--until', 'idle', '--timeout', '300ms', '--json');
    expect(v.parse(errorDocumentSchema, JSON.parse(document.stdout)).error).toMatchObject({
      code: 'timed-out',
      details: ['build: working, active'],
    });
  });

  it('S4: follows a session through a rename, S2: and takes no other under its name', async () => {
    await tmux.session('build', 'sleep', '1000');
    await tmux.session('keep', 'sleep', '1000');
    const { ended } = await wait('build', '--until', 'none', '--timeout', '10m');
    await tmux.tmux('rename-session', '-t', '=build', 'renamed');
    await tmux.session('build');
    const seen = looks;
    await until('it looked twice more', () => looks > seen + 2);
    await tmux.tmux('kill-session', '-t', '=renamed');
    const ran = await ended;
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain("the awaited session is gone: 'renamed'");
    expect(ran.stderr).toContain('renamed: gone, last seen');
  });

  it('S2: says that another session has the name now', async () => {
    await tmux.session('build', 'sleep', '1000');
    await tmux.session('keep', 'sleep', '1000');
    const { ended } = await wait('build', '--until', 'none', '--timeout', '10m');
    await tmux.tmux(
      'kill-session',
      '-t',
      '=build',
      ';',
      'new-session',
      '-d',
      '-s',
      'build',
      'env PS1=$ sh -i',
    );
    const ran = await ended;
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/the session that has its name now \(\$\d+\) is another one/);
  });

  it('counts a session that is gone as exited', async () => {
    const { pid } = await tmux.session('build', 'sleep', '1000');
    await tmux.session('keep', 'sleep', '1000');
    const { ended } = await wait('build', '--until', 'exited', '--timeout', '10m');
    process.kill(pid, 'SIGKILL');
    expect(await ended).toMatchObject({ exitCode: 0, stdout: 'build: exited (the session is gone)\n' });
  });

  it('S32: a server that is stopped while it waits has lost nothing', async () => {
    await tmux.session('build', 'sleep', '1000');
    const { ended } = await wait('build', '--until', 'exited', '--timeout', '2500ms');
    process.kill(tmux.serverPid, 'SIGSTOP');
    const ran = await ended;
    expect(ran.exitCode).toBe(6);
    expect(ran.stdout).toBe('');
  });

  it('ends with 130 on Ctrl-C', async () => {
    await tmux.session('build', 'sleep', '1000');
    const { ended } = await wait('build', '--until', 'idle');
    interrupt();
    expect((await ended).exitCode).toBe(130);
  });

  it('goes on after a look that failed, and says so once', async () => {
    await tmux.session('build', 'sleep', '1000');
    let taken = 0;
    // Taken before: of the time only pauses are left, however long a look takes.
    const roll = await look.roll();
    const ran = await run(['wait', 'build', '--until', 'idle', '--timeout', '4s'], {
      roll: async () => {
        taken += 1;
        if (taken > 1) throw new Error('out of \u001b[31mdescriptors');
        return roll;
      },
    });
    expect(ran.exitCode).toBe(6);
    expect(ran.stderr.match(/could not look: out of \\e\[31mdescriptors/g)).toHaveLength(1);
    expect(taken).toBeGreaterThan(3);
  });

  it('S1: a session that is not there at the start is not found; one of two is ambiguous', async () => {
    await tmux.session('build-two');
    expect((await waited('build', '--until', 'idle')).exitCode).toBe(4);
    const other = new PrivateTmux('other', tmux.folder);
    try {
      await tmux.session('build');
      await other.session('build');
      look = realLook([tmux, other]);
      expect((await waited('build', '--until', 'idle')).exitCode).toBe(5);
    } finally {
      process.kill(other.serverPid, 'SIGTERM');
    }
  });

  it.each([
    [['build'], 'wait needs --until'],
    [['build', '--until', 'dreaming'], 'allowed: working, waiting'],
    [['build', '--until', 'idle', '--any', '--all'], '--any and --all exclude each other'],
    [['build', '--until', 'idle', '--timeout', 'soon'], '--timeout=soon is not a duration'],
    [['--until', 'idle'], 'wait needs SESSION'],
  ])('takes %j for wrong usage', async (argv, message) => {
    expect(await waited(...argv)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});
