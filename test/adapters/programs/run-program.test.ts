import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pause } from '../../../src/adapters/files/lock-file.ts';
import { isRunning } from '../../../src/adapters/programs/end-group.ts';
import { runNow } from '../../../src/adapters/programs/run-now.ts';
import { type ProgramCall, runProgram, type Spawn } from '../../../src/adapters/programs/run-program.ts';
import { toldPid } from '../../support/told-pid.ts';
import { until } from '../../support/until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (script: string, call: Partial<ProgramCall> = {}) =>
  runProgram({
    argv: ['sh', '-c', script],
    env: process.env,
    cwd: folder,
    timeoutMs: 20_000,
    maxBytes: 1000,
    ...call,
  });

/** Its time begins when this is so: a busy machine may need long to come to it. */
const startedWhen =
  (holds: (pid: number) => boolean): Spawn =>
  (...words) => {
    const child = spawn(...words);
    while (!holds(child.pid ?? 0)) pause(5);
    return child;
  };
const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const told = startedWhen(() => read(join(folder, 'pid')).endsWith('\n'));
const ended = startedWhen((pid) => read(`/proc/${pid}/stat`).includes(') Z '));

const isGone = (pid: number) => {
  if (!isRunning(pid)) return true;
  // Nobody may be there to collect it; a zombie is as gone as can be.
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z ');
};

describe('a program that is run', () => {
  it('gets its folder and its input, and its output, errors and end are told', async () => {
    const ran = await run('pwd; cat; echo oops >&2; exit 3', { input: 'given', maxErrorBytes: 100 });
    expect(ran).toMatchObject({ ended: 'exit', code: 3, signal: null, stderr: 'oops\n' });
    expect(ran.ended === 'exit' && ran.stdout.toString()).toBe(`${folder}\ngiven`);
  });

  it('is told to have no input, and may leave what it is given unread', async () => {
    expect(await run('cat')).toMatchObject({ ended: 'exit', code: 0 });
    expect(await run('exit 0', { input: 'x'.repeat(1_000_000) })).toMatchObject({ ended: 'exit', code: 0 });
  });

  it('is heard to the end, also what it says after its own end', async () => {
    const ran = await run('(while kill -0 $$ 2>&-; do sleep 0.05; done; echo late) & echo early');
    expect(ran.ended === 'exit' && ran.stdout.toString()).toBe('early\nlate\n');
  });

  it('that cannot start says so, with the code', async () => {
    expect(await run('', { argv: ['/no/such/program'] })).toMatchObject({
      ended: 'unstartable',
      errorCode: 'ENOENT',
    });
    expect(await run('', { argv: ['a\0b'] })).toMatchObject({ ended: 'unstartable' });
  });

  it('S57: that prints more than its bound is ended, and not one byte before', async () => {
    expect(await run('exec yes')).toMatchObject({ ended: 'too-long' });
    expect(await run('printf %01000d 0')).toMatchObject({ ended: 'exit', code: 0 });
  });

  it('S32: is ended when its time is up, and what it said until then is told', async () => {
    const ran = await run('echo first; echo $$ > pid; exec sleep 1000', { timeoutMs: 100, spawn: told });
    expect(ran).toMatchObject({ ended: 'timeout', code: null });
    expect(ran.ended === 'timeout' && ran.stdout.toString()).toBe('first\n');
    const pid = await toldPid(join(folder, 'pid'));
    await until('it is gone', () => isGone(pid));
  });

  it('is ended with its group where it has one', async () => {
    await run('sleep 1000 & echo $! > pid; wait', { timeoutMs: 100, isGroup: true, spawn: told });
    const pid = await toldPid(join(folder, 'pid'));
    await until('its child is gone', () => isGone(pid));
  });

  it('leaves its group alone once it has ended: the number may be somebody else’s by then', async () => {
    await run('sleep 1000 & echo $! > pid', { timeoutMs: 100, isGroup: true, spawn: ended });
    const pid = await toldPid(join(folder, 'pid'));
    expect(isGone(pid)).toBe(false);
    process.kill(pid, 'SIGKILL');
  });

  it('is ended alone where it has none', async () => {
    await run('sleep 1000 & echo $! > pid; wait', { timeoutMs: 100, spawn: told });
    const pid = await toldPid(join(folder, 'pid'));
    expect(isGone(pid)).toBe(false);
    process.kill(pid, 'SIGKILL');
  });

  it('is not even started once it is not wanted, and ended as soon as that is so', async () => {
    const abort = new AbortController();
    const running = run('exec sleep 1000', { signal: abort.signal });
    abort.abort();
    expect(await running).toMatchObject({ ended: 'aborted' });
    expect(await run('touch made', { signal: abort.signal })).toMatchObject({ ended: 'aborted' });
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });
});

describe('a program that is waited for', () => {
  it('tells how it ended also when its time was up', async () => {
    const ends: string[] = [];
    const ran = await run('exec sleep 1000', {
      timeoutMs: 100,
      isGroup: true,
      isAwaited: true,
      onExit: (_, why) => ends.push(why),
    });
    expect(ran).toMatchObject({ ended: 'timeout', signal: 'SIGKILL' });
    expect(ends).toEqual(['timeout']);
  });

  it('is not waited for any longer because of what it left running', async () => {
    let heard = '';
    const ran = await run('sleep 1000 & echo $!', {
      isAwaited: true,
      hear(text) {
        heard += text;
      },
    });
    expect(ran).toMatchObject({ ended: 'exit', code: 0 });
    process.kill(Number(heard), 'SIGKILL');
  });
});

describe('a program of the system', () => {
  it('is waited for, and tells what it printed', () => {
    expect(runNow(['sh', '-c', 'echo out; echo err >&2'], { timeoutMs: 10_000 })).toEqual({
      isDone: true,
      stdout: 'out\n',
      stderr: 'err\n',
      cut: null,
    });
    expect(runNow(['sh', '-c', 'echo out; exit 1'], { timeoutMs: 10_000 })).toMatchObject({
      isDone: false,
      stdout: 'out\n',
      cut: null,
    });
  });

  it('that hangs, is killed or is not there did not come to its end', () => {
    const cutOf = (script: string, timeoutMs = 10_000) => runNow(['sh', '-c', script], { timeoutMs });
    expect(cutOf('exec sleep 1000', 100)).toMatchObject({
      isDone: false,
      cut: expect.stringContaining('ETIMEDOUT'),
    });
    expect(cutOf('kill -9 $$')).toMatchObject({ isDone: false, cut: 'was ended by SIGKILL' });
    expect(runNow(['/no/such/program'], { timeoutMs: 1000 })).toMatchObject({
      isDone: false,
      stdout: '',
      cut: expect.stringContaining('ENOENT'),
    });
  });
});
