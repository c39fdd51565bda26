import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { probeSocket } from '../../../src/adapters/tmux/inquire.ts';
import { until } from '../../support/until.ts';
import { isListening, listenOn, tableOf, UID } from './look.ts';

let folder: string;
const closers: (() => void | Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'p-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

it('knows a listener', async () => {
  closers.push((await listenOn(join(folder, 's'))).close);
  expect(await probeSocket(join(folder, 's'), 5000)).toEqual({ state: 'listening' });
});

it('S35: knows that nobody listens on a dead file, on another file, and where there is none', async () => {
  const server = await listenOn(join(folder, 's'));
  linkSync(join(folder, 's'), join(folder, 'dead'));
  await server.close();
  writeFileSync(join(folder, 'file'), '');
  for (const name of ['dead', 'file', 'none']) {
    expect(await probeSocket(join(folder, name), 5000)).toEqual({ state: 'absent' });
  }
});

it('S31: hears an answer that lay there while this process was busy', async () => {
  // From here timers are asked before answers are.
  await new Promise(setImmediate);
  const probing = probeSocket(join(folder, 'none'), 20);
  const busyUntil = performance.now() + 60;
  while (performance.now() < busyUntil);
  expect(await probing).toEqual({ state: 'absent' });
});

it.skipIf(UID === 0)('S32: never takes a refused permission for absence', async () => {
  closers.push((await listenOn(join(folder, 's'))).close);
  chmodSync(join(folder, 's'), 0);
  expect(await probeSocket(join(folder, 's'), 5000)).toMatchObject({
    state: 'failed',
    failure: 'not-permitted',
  });
});

it('S32: takes a full queue for a busy listener', async () => {
  const path = join(folder, 's');
  const script = `require('node:net').createServer().listen({ path: '${path}', backlog: 1 })`;
  const child: ChildProcess = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  closers.push(() => void child.kill('SIGKILL'));
  await until('it listens', () => isListening(path));
  child.kill('SIGSTOP');
  await until(
    'it is stopped',
    () => tableOf(pid).byPid.get(pid)?.state,
    (state) => state === 'T',
  );
  const waiting: Socket[] = [];
  closers.push(() => {
    for (const socket of waiting) socket.destroy();
  });
  await until(
    'its queue is full',
    () =>
      new Promise<string | undefined>((resolve) => {
        const socket = connect(path, () => resolve(undefined));
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        waiting.push(socket);
      }),
    (code) => code === 'EAGAIN',
  );
  expect(await probeSocket(path, 5000)).toEqual({ state: 'listening' });
});
