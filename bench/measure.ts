import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_FLAGS } from '../src/cli/up/up-call.ts';
import type { Crowd } from './crowd.ts';

/** Milliseconds of one run. */
export async function timed(task: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await task();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/**
 * Times several tasks against each other: in turns, so that whatever else the machine does falls on all of them alike.
 * Gives the median of each.
 */
export async function inTurns<K extends string>(
  rounds: number,
  tasks: Readonly<Record<K, () => unknown>>,
): Promise<Record<K, number>> {
  const names = Object.keys(tasks) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) times[name].push(await timed(tasks[name]));
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<K, number>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const low = sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? Number.NaN;
  return (low + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Of many times, those that tell most. */
export interface Figures {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
}

export function figures(times: readonly number[]): Figures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { count: times.length, median: median(times), p95: at(0.95), p99: at(0.99) };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A daemon as a process of its own, once it is ready. */
export async function startDaemon(
  crowd: Crowd,
  words: readonly string[] = ['--server', crowd.socketPath],
  program = 'dist/rollcall.cjs',
): Promise<ChildProcess> {
  const folder = join(crowd.env.XDG_CONFIG_HOME ?? '', 'rollcall');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ daemon: { port: 0 } }));
  const daemon = spawn(process.execPath, [...NODE_FLAGS, program, 'up', '--foreground', ...words], {
    env: crowd.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    daemon.stdout?.once('data', resolve);
    daemon.once('exit', (code) => reject(new Error(`the daemon ended with ${code}`)));
  });
  daemon.stdout?.resume();
  return daemon;
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** A figure that the kernel keeps of a process, such as VmRSS. */
export function mebibytesIn(pid: number | undefined, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
}
