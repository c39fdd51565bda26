import { linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SocketPlace } from '../../../src/adapters/tmux/find-sockets.ts';
import { createInquirer } from '../../../src/adapters/tmux/inquire.ts';
import type { RunTmux } from '../../../src/adapters/tmux/run-tmux.ts';
import { listenOn } from './look.ts';

const NOW = 1_800_000_000_000;
const { signal } = new AbortController();

let folder: string;
let socketPath: string;
let calls: number;
let close: () => Promise<void> = async () => {};

beforeEach(async () => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'i-'));
  socketPath = join(folder, 'dead');
  calls = 0;
  const server = await listenOn(join(folder, 'x'));
  linkSync(join(folder, 'x'), socketPath);
  await server.close();
});
afterEach(async () => {
  await close();
  close = async () => {};
  rmSync(folder, { recursive: true, force: true });
});

const newInquirer = () =>
  createInquirer(
    async () => {
      calls += 1;
      return { ended: 'timeout' };
    },
    { now: () => NOW, timeoutMs: 5000, asksPath: false },
  );
const place = (changedAt: number, mark = 'one'): SocketPlace => ({
  state: 'socket',
  socketPath,
  mark,
  changedAt,
});
const hints = { isKnownToListen: false, signal };

async function revive(): Promise<void> {
  rmSync(socketPath);
  close = (await listenOn(socketPath)).close;
}

it('S35: asks a socket file that refused long after it was made no second time', async () => {
  const inquire = newInquirer();
  expect(await inquire(place(NOW - 60_000), hints)).toEqual({ state: 'absent', socketPath, observedAt: NOW });
  await revive();
  expect(await inquire(place(NOW - 60_000), hints)).toMatchObject({ state: 'absent' });
  expect(calls).toBe(0);
});

it('S3: asks again when a new server made a new file in its place', async () => {
  const inquire = newInquirer();
  await inquire(place(NOW - 60_000), hints);
  await revive();
  expect(await inquire(place(NOW - 60_000, 'two'), hints)).toMatchObject({
    state: 'failed',
    failure: 'timeout',
  });
  expect(calls).toBe(1);
});

it('S32: asks again when the file was so young that its server may not have listened yet', async () => {
  const inquire = newInquirer();
  expect(await inquire(place(NOW - 100), hints)).toMatchObject({ state: 'absent' });
  await revive();
  expect(await inquire(place(NOW - 100), hints)).toMatchObject({ state: 'failed', failure: 'timeout' });
});

it('does not knock where a listener is known to be', async () => {
  expect(await newInquirer()(place(NOW), { ...hints, isKnownToListen: true })).toMatchObject({
    failure: 'timeout',
  });
  expect(calls).toBe(1);
});

it('does not knock on a server that is known to be stopped', async () => {
  const run: RunTmux = async () => ({ ended: 'aborted' });
  const inquire = createInquirer(run, { now: () => NOW, timeoutMs: 5000, asksPath: false });
  const stopped = { isKnownToListen: false, signal: AbortSignal.abort() };
  expect(await inquire(place(NOW), stopped)).toMatchObject({ state: 'failed', failure: 'stopped' });
});
