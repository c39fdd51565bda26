import { expect, it } from 'vitest';
import { reconcile, type ServerProcess } from '../../../src/adapters/tmux/server-processes.ts';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';
import type { ServerSighting } from '../../../src/core/sight/sighting.ts';

const seen = { socketPath: '/s/default', observedAt: 5 };
const absent: ServerSighting = { state: 'absent', ...seen };
const failed: ServerSighting = { state: 'failed', ...seen, failure: 'timeout', text: 'slow' };
const present = (pid: number): ServerSighting => ({
  ...{ state: 'present', ...seen, pid, startTicks: 0, version: '3.3a', sessions: [], clients: [] },
});
const server = (pid: number): ServerProcess => ({
  ...{ pid, startTicks: pid * 10, isStopped: false, socketPath: '/s/default' },
});
const table = (...pids: number[]): ProcessTable => ({
  observedAt: 5,
  byPid: new Map(pids.map((pid) => [pid, { pid, startTicks: pid * 10 } as Process])),
  isComplete: true,
});

it('S3: gives a present server the start mark of its process, and 0 where the table has none', () => {
  expect(reconcile([present(7)], [server(7)], table(7))).toMatchObject([{ pid: 7, startTicks: 70 }]);
  expect(reconcile([present(7)], [], table())).toMatchObject([{ pid: 7, startTicks: 0 }]);
});

it.each([
  ['listens elsewhere', [{ ...server(7), socketPath: '/s/other' }], 'tmux: server', 0],
  ['is no tmux', [], 'sleep', 0],
  ['cannot be seen to listen', [], 'tmux: server', 70],
  ['cannot be seen to listen, and is called otherwise', [], 'my-tm: server', 70],
] as const)('a server whose number here is of a process that %s', (_, running, comm, startTicks) => {
  const byPid = new Map([[7, { pid: 7, startTicks: 70, comm } as Process]]);
  const sightings = reconcile([present(7)], [], { ...table(), byPid }, running);
  expect(sightings).toMatchObject([{ pid: 7, startTicks }]);
});

it('keeps an absence that no running server contradicts', () => {
  expect(reconcile([absent], [{ ...server(7), socketPath: '/s/other' }], table(7))).toEqual([absent]);
});

it('S32: calls a server that runs behind a dead socket unreachable, not absent', () => {
  expect(reconcile([absent], [server(7)], table(7))).toMatchObject([
    { state: 'failed', failure: 'refused', pid: 7, startTicks: 70 },
  ]);
});

it('names the process of a server that failed to answer', () => {
  expect(reconcile([failed], [server(7)], table(7))).toMatchObject([
    { failure: 'timeout', pid: 7, startTicks: 70 },
  ]);
});

it('S3: reports the old server beside the one that took its socket', () => {
  expect(reconcile([present(8)], [server(7), server(8)], table(7, 8))).toMatchObject([
    { state: 'present', pid: 8, startTicks: 80 },
    { state: 'failed', failure: 'refused', pid: 7, startTicks: 70 },
  ]);
});
