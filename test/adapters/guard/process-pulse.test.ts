import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openPulse } from '../../../src/adapters/guard/process-pulse.ts';
import type { Pulse } from '../../../src/ports/guard.ts';
import { until } from '../../support/until.ts';

const children: ChildProcess[] = [];
const pulses: Pulse[] = [];
afterEach(() => {
  for (const pulse of pulses.splice(0)) pulse.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const start = (script: string) => {
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  return child as ChildProcess & { pid: number };
};
const pulseOf = (pid: number, startTicks: number | null = null, options = {}) => {
  const pulse = openPulse({ pid, startTicks }, options);
  pulses.push(pulse);
  return pulse;
};
const startTicksOf = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19]);

/** A parent that never waits for its child: what tmux is after it missed a SIGCHLD. */
async function zombie(script: string): Promise<{ pid: number; end(): void }> {
  const child = start(`exec 3<&0; (read line <&3; ${script}) & echo $!; exec sleep 1000`);
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  const pid = await until('the child is known', () => Number(printed.trim()));
  return { pid, end: () => child.stdin?.write('\n') };
}

describe('the pulse of a process', () => {
  it('is alive, with parent and terminal, until the process is gone', async () => {
    const child = start('exec sleep 1000');
    const pulse = pulseOf(child.pid, startTicksOf(child.pid));
    expect(pulse.read()).toEqual({ state: 'alive', isStopped: false, parentPid: process.pid, terminal: 0 });
    child.kill('SIGKILL');
    await until(
      'it is dead',
      () => pulse.read().state,
      (state) => state === 'dead',
    );
  });

  it('tells a stopped process', async () => {
    const child = start('exec sleep 1000');
    const pulse = pulseOf(child.pid);
    child.kill('SIGSTOP');
    await until(
      'it is stopped',
      () => pulse.read(),
      (one) => one.state === 'alive' && one.isStopped,
    );
  });

  it('S6: is dead at once for a pid whose start is another', () => {
    const child = start('exec sleep 1000');
    expect(pulseOf(child.pid, startTicksOf(child.pid) - 1).read()).toEqual({ state: 'dead', exit: null });
    expect(pulseOf(child.pid, startTicksOf(child.pid)).read().state).toBe('alive');
  });

  it('S34: a pid that was never seen here is unknown, one that was is dead', () => {
    expect(pulseOf(2 ** 22 + 1).read()).toEqual({ state: 'unknown' });
    expect(pulseOf(2 ** 22 + 1, 5).read()).toMatchObject({ state: 'dead' });
  });

  it.each([
    ['exit 0', { status: 0, signal: null }],
    ['exit 3', { status: 3, signal: null }],
    ['sh -c "kill -TERM \\$PPID"; sleep 1', { status: null, signal: 'SIGTERM' }],
  ])('reads how a zombie ended: %s', async (script, exit) => {
    const { pid, end } = await zombie(script);
    const pulse = pulseOf(pid);
    expect(pulse.read().state).toBe('alive');
    end();
    expect(
      await until(
        'it is dead',
        () => pulse.read(),
        (one) => one.state === 'dead',
      ),
    ).toEqual({
      state: 'dead',
      exit,
    });
  });

  it('believes no exit status 0 from a kernel that would not tell', () => {
    const root = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'proc-'));
    const write = (letter: string, startCode: number, exitCode: number) => {
      const fields = Array.from({ length: 50 }, () => '0');
      fields[0] = letter;
      fields[19] = '77';
      fields[23] = String(startCode);
      fields[49] = String(exitCode);
      mkdirSync(join(root, '42'), { recursive: true });
      writeFileSync(join(root, '42', 'stat'), `42 (odd ) name) ${fields.join(' ')}\n`);
    };
    const seenAfter = (startCode: number, exitCode: number) => {
      write('S', startCode, 0);
      const pulse = pulseOf(42, 77, { procRoot: root });
      expect(pulse.read().state).toBe('alive');
      // On its way out it has no memory any more, and is not yet a zombie.
      write('R', 0, 0);
      expect(pulse.read().state).toBe('alive');
      write('Z', 0, exitCode);
      return pulse.read();
    };
    expect(seenAfter(4096, 0)).toEqual({ state: 'dead', exit: { status: 0, signal: null } });
    expect(seenAfter(1, 0)).toEqual({ state: 'dead', exit: null });
    expect(seenAfter(1, 256)).toEqual({ state: 'dead', exit: { status: 1, signal: null } });
    expect(seenAfter(4096, 0x80 | 11)).toEqual({ state: 'dead', exit: { status: null, signal: 'SIGSEGV' } });
    writeFileSync(join(root, '42', 'stat'), '');
    expect(pulseOf(42, 77, { procRoot: root }).read()).toEqual({ state: 'unknown' });
    rmSync(root, { recursive: true });
  });

  it('is unknown after it was closed, and closing twice is nothing', () => {
    const pulse = pulseOf(process.pid);
    pulse.close();
    pulse.close();
    expect(pulse.read()).toEqual({ state: 'unknown' });
  });

  it('asks by a signal that is never sent where there is no /proc', async () => {
    const child = start('exec sleep 1000');
    const pulse = pulseOf(child.pid, null, { platform: 'darwin' });
    expect(pulse.read().state).toBe('alive');
    child.kill('SIGKILL');
    await until(
      'it is dead',
      () => pulse.read().state,
      (state) => state === 'dead',
    );
    expect(pulseOf(1, null, { platform: 'darwin' }).read().state).toBe('alive');
  });
});
