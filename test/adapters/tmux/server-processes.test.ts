import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServerFinder, readUnixSockets } from '../../../src/adapters/tmux/server-processes.ts';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';
import { UID } from './look.ts';

let proc: string;
beforeEach(() => {
  proc = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'proc-'));
  mkdirSync(join(proc, 'self/ns'), { recursive: true });
  symlinkSync('mnt:[1]', join(proc, 'self/ns/mnt'));
  listeners('net', [['100', '/tmp/tmux-7/default']]);
});
afterEach(() => rmSync(proc, { recursive: true, force: true }));

function listeners(folder: string, sockets: readonly (readonly [string, string])[]): void {
  mkdirSync(join(proc, folder), { recursive: true });
  const lines = sockets.map(([inode, path]) => `0: 00000002 00000000 00010000 0001 01 ${inode} ${path}`);
  writeFileSync(join(proc, folder, 'unix'), `Num\n${lines.join('\n')}\n`);
}

function serverWith(pid: number, inode: string, mount = 'mnt:[1]'): void {
  mkdirSync(join(proc, `${pid}/fd`), { recursive: true });
  mkdirSync(join(proc, `${pid}/ns`));
  symlinkSync('/dev/null', join(proc, `${pid}/fd/0`));
  symlinkSync('socket:[99]', join(proc, `${pid}/fd/3`));
  symlinkSync(`socket:[${inode}]`, join(proc, `${pid}/fd/6`));
  symlinkSync(mount, join(proc, `${pid}/ns/mnt`));
  symlinkSync('/home/me', join(proc, `${pid}/cwd`));
}

function table(...processes: readonly Partial<Process>[]): ProcessTable {
  const typical = { comm: 'tmux: server', state: 'S', startTicks: 5, startedAt: 0 };
  const full = processes.map((each) => ({ ...typical, ...each }) as Process);
  return { observedAt: 60_000, byPid: new Map(full.map((each) => [each.pid, each])), isComplete: true };
}

const find = (seen: ProcessTable, finder = createServerFinder(proc, UID)) =>
  finder(seen, readUnixSockets(proc)).map(({ pid, socketPath }) => [pid, socketPath]);

describe('a tmux server process', () => {
  it('S5: leads to the socket it listens on', () => {
    serverWith(7, '100');
    expect(createServerFinder(proc, UID)(table({ pid: 7 }), readUnixSockets(proc))).toEqual([
      { pid: 7, startTicks: 5, isStopped: false, socketPath: '/tmp/tmux-7/default' },
    ]);
  });

  it('S8: is known by its exact name, and not after its death', () => {
    for (const pid of [7, 8, 9, 10]) serverWith(pid, '100');
    const others = [{ comm: 'tmux: client' }, { comm: 'xtmux: server' }, { state: 'Z' }, { state: 'X' }];
    expect(find(table(...others.map((other, index) => ({ pid: 7 + index, ...other }))))).toEqual([]);
  });

  it('is left out while it listens nowhere, or on an abstract socket', () => {
    listeners('net', [['100', '@abstract']]);
    serverWith(7, '100');
    serverWith(8, '55');
    expect(find(table({ pid: 7 }, { pid: 8 }))).toEqual([]);
  });

  it('resolves a relative socket against its own folder', () => {
    listeners('net', [['100', 'here.sock']]);
    serverWith(7, '100');
    expect(find(table({ pid: 7 }))).toEqual([[7, '/home/me/here.sock']]);
  });

  it('is found in another network namespace, where its path still leads to it', () => {
    listeners('7/net', [['100', '/tmp/there']]);
    listeners('net', []);
    serverWith(7, '100');
    expect(find(table({ pid: 7 }))).toEqual([[7, '/tmp/there']]);
  });

  it('is left out in a container, where the same path is another file', () => {
    serverWith(7, '100', 'mnt:[2]');
    expect(find(table({ pid: 7 }))).toEqual([]);
  });

  it('is left out when another user runs it', () => {
    serverWith(7, '100');
    expect(find(table({ pid: 7 }), createServerFinder(proc, UID + 1))).toEqual([]);
  });

  it('is searched once, but a new process of the same pid anew', () => {
    serverWith(7, '100');
    const finder = createServerFinder(proc, UID);
    find(table({ pid: 7 }), finder);
    rmSync(join(proc, '7'), { recursive: true });
    expect(find(table({ pid: 7 }), finder)).toEqual([[7, '/tmp/tmux-7/default']]);
    expect(find(table({ pid: 7, startTicks: 6 }), finder)).toEqual([]);
  });

  it('is searched again while it is so young that it may not listen yet', () => {
    const finder = createServerFinder(proc, UID);
    expect(find(table({ pid: 7, startedAt: 59_000 }, { pid: 8 }), finder)).toEqual([]);
    serverWith(7, '100');
    serverWith(8, '100');
    expect(find(table({ pid: 7, startedAt: 59_000 }, { pid: 8 }), finder)).toEqual([
      [7, '/tmp/tmux-7/default'],
    ]);
  });
});
