import { type ChildProcess, spawn as spawnChild } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Spawn } from '../../../src/adapters/programs/run-program.ts';
import { createTmuxSensor, type TmuxSensorOptions } from '../../../src/adapters/tmux/tmux-sensor.ts';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';
import type { ServerSighting, SessionSighting } from '../../../src/core/sight/sighting.ts';
import type { TmuxSensor } from '../../../src/ports/sensor.ts';

export const UID = process.getuid?.() ?? 0;

export type Present = Extract<ServerSighting, { state: 'present' }>;

/** A sensor that sees only what a test shows it: no socket folder of the machine, no server of anyone else. */
export function sensorOf(options: Partial<TmuxSensorOptions> = {}): TmuxSensor {
  return createTmuxSensor({
    env: process.env,
    uid: UID,
    now: Date.now,
    onlyFolders: [],
    timeoutMs: 15_000,
    ...options,
  });
}

/** A process table that holds these processes only, read as the process sensor reads them. */
export function tableOf(...pids: number[]): ProcessTable {
  const processes = pids.flatMap((pid) => readProcess(pid) ?? []);
  return {
    observedAt: Date.now(),
    byPid: new Map(processes.map((each) => [each.pid, each])),
    isComplete: true,
  };
}

/** The only server of an answer, which must be present. */
export function onlyServer(sightings: readonly ServerSighting[]): Present {
  const [first, ...others] = sightings;
  if (first?.state !== 'present' || others.length > 0) {
    throw new Error(`expected one present server, got ${JSON.stringify(sightings)}`);
  }
  return first;
}

export function sessionNamed(server: Present, name: string): SessionSighting {
  const session = server.sessions.find((each) => each.name === name);
  if (session === undefined)
    throw new Error(`no ${name} in ${server.sessions.map((each) => each.name).join(', ')}`);
  return session;
}

/** Where each server is and how it stands, in the order of the paths. */
export function summary(sightings: readonly ServerSighting[]): (readonly [string, string])[] {
  return sightings
    .map((each) => [each.socketPath, each.state === 'failed' ? each.failure : each.state] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Counts forks and keeps the children, so that a test can see that they ended. */
export function countingSpawn(): { spawn: Spawn; children: ChildProcess[] } {
  const children: ChildProcess[] = [];
  const spawn: Spawn = (file, argv, options) => {
    const child = spawnChild(file, argv, options);
    children.push(child);
    return child;
  };
  return { spawn, children };
}

/** A program that stands in for tmux. */
export function fakeTmux(folder: string, script: string): string {
  const path = join(folder, `fake-tmux-${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Listens on a Unix socket and does with each connection what the test says. */
export async function listenOn(
  path: string,
  greet: (connection: Socket) => void = () => {},
): Promise<{ close: () => Promise<void> }> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const open = new Set<Socket>();
  const server: Server = createServer((connection) => {
    open.add(connection);
    connection.on('error', () => {});
    connection.on('close', () => open.delete(connection));
    greet(connection);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    close: () =>
      new Promise((resolve) => {
        for (const connection of open) connection.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Whether anybody accepts a connection there. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const comm = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '?', ppid, pgid, sid] = rest;
    return {
      ...{ pid, ppid: Number(ppid), pgid: Number(pgid), sid: Number(sid), tpgid: -1, state, comm },
      ...{ startTicks: Number(rest[19]), startedAt: Date.now() - 60_000, cpuMs: 0, rssBytes: 0 },
    };
  } catch {
    return undefined;
  }
}
