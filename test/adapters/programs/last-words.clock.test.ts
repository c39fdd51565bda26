import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { afterLastWords } from '../../../src/adapters/programs/run-program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-words-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What was heard of a program when it is gone on, after nobody could listen until it had ended. */
async function heardOf(script: string): Promise<string> {
  const mark = join(folder, 'ended');
  const child = spawn('sh', ['-c', `${script}\n: >'${mark}'`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let heard = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
  }
  while (!existsSync(mark)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  return new Promise((resolve) => {
    child.on('exit', () => afterLastWords(child, () => resolve(heard)));
  });
}

test('everything that a program said before its end is heard, however late anybody listens', async () => {
  expect(await heardOf('echo one; echo two >&2')).toMatch(/^(one\ntwo|two\none)\n$/);
});

test('also where what it left running holds its output open, without waiting for that', async () => {
  const heard = await heardOf('sleep 600 & echo $!');
  expect(heard).toMatch(/^\d+\n$/);
  process.kill(Number(heard), 'SIGKILL');
});

test('an end that is told turns before the last words is no reason not to hear them', async () => {
  // However long the turns take, the moment is not over.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const child = new EventEmitter();
  let isOver = false;
  afterLastWords(child as ChildProcess, () => {
    isOver = true;
  });
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  child.emit('close');
  expect(isOver).toBe(true);
});
