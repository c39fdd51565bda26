import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchProcess } from '../../../src/adapters/daemon/daemon-process.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'proc-'));
  play('self', 'S', 1);
});
afterEach(() => rmSync(root, { recursive: true }));

const play = (name: string, state: string, startTicks: number) => {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const fields = [state, ...Array.from({ length: 18 }, () => '0'), String(startTicks)];
  writeFileSync(join(folder, 'stat'), `7 (a) b) ${fields.join(' ')} 0\n`);
};

test('a process that runs is there, and one that ended is not', async () => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const rest = watchProcess(child.pid ?? 0);
  expect(rest()).toBe('it still runs');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  expect(rest()).toBeNull();
});

test('a thread that the kernel does not let go keeps it, though its first one has ended', () => {
  play('7', 'Z', 100);
  play('7/task/7', 'Z', 100);
  play('7/task/8', 'D', 100);
  const rest = watchProcess(7, root);
  expect(rest()).toBe('a file system or a device that gives no answer holds it');
  play('7/task/8', 'Z', 100);
  expect(rest()).toBeNull();
});

test('another process with its number is not it', () => {
  play('7', 'S', 100);
  const rest = watchProcess(7, root);
  expect(rest()).toBe('it still runs');
  play('7', 'S', 200);
  expect(rest()).toBeNull();
});
