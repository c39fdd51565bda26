import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTmuxRunner, type RunTmux } from '../../../src/adapters/tmux/run-tmux.ts';
import { until } from '../../support/until.ts';
import { countingSpawn, fakeTmux } from './look.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'r-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { spawn, children } = countingSpawn();
const runner = (script: string, timeoutMs = 15_000, env: NodeJS.ProcessEnv = process.env): RunTmux =>
  createTmuxRunner({ env, timeoutMs, tmuxPath: fakeTmux(folder, script), spawn });
const lastEnd = () =>
  until('the client ended', () => children.at(-1)?.signalCode ?? children.at(-1)?.exitCode);

describe('a tmux call', () => {
  it('S7: carries neither TMUX nor TMUX_PANE, and a locale in which tmux prints UTF-8', async () => {
    const env = { ...process.env, TMUX: '/tmp/other,1,0', TMUX_PANE: '%7', LC_ALL: 'C', KEPT: 'yes' };
    const run = runner('env; echo "argv=$*"', 15_000, env);
    const ended = await run('/s', ['list-panes', '-a'], { maxBytes: 100_000 });
    const lines = ended.ended === 'exit' ? ended.stdout.toString().trim().split('\n') : [];
    expect(lines.filter((line) => /^(TMUX|TMUX_PANE|LC_ALL|KEPT|argv)=/.test(line)).sort()).toEqual([
      'KEPT=yes',
      'LC_ALL=C.UTF-8',
      'argv=-u -S /s list-panes -a',
    ]);
  });

  it('S32: that hangs is killed in time', async () => {
    const run = runner('exec sleep 1000', 100);
    expect(await run('/s', [], { maxBytes: 10 })).toMatchObject({ ended: 'timeout' });
    expect(await lastEnd()).toBe('SIGKILL');
  });

  it('that is no longer wanted is killed at once', async () => {
    const run = runner('exec sleep 1000');
    const abort = new AbortController();
    const running = run('/s', [], { maxBytes: 10, signal: abort.signal });
    abort.abort();
    expect(await running).toMatchObject({ ended: 'aborted' });
    expect(await lastEnd()).toBe('SIGKILL');
    const forks = children.length;
    expect(await run('/s', [], { maxBytes: 10, signal: abort.signal })).toMatchObject({ ended: 'aborted' });
    expect(children).toHaveLength(forks);
  });

  it('S57: that prints too much is killed, and its errors are bounded too', async () => {
    expect(await runner('exec yes')('/s', [], { maxBytes: 1000 })).toMatchObject({ ended: 'too-long' });
    expect(await lastEnd()).toBe('SIGKILL');
    const loud = await runner('head -c 5000000 /dev/zero >&2')('/s', [], { maxBytes: 1000 });
    expect(loud.ended === 'exit' && loud.stderr.length).toBeLessThan(200_000);
  });

  it('that cannot start says so, also when its arguments are impossible', async () => {
    const missing = createTmuxRunner({ env: process.env, timeoutMs: 1000, tmuxPath: join(folder, 'none') });
    expect(await missing('/s', [], { maxBytes: 10 })).toMatchObject({ ended: 'unstartable' });
    expect(await missing('/s\0', [], { maxBytes: 10 })).toMatchObject({ ended: 'unstartable' });
  });

  it('S32: is not timed out by this process being busy while the answer lay there', async () => {
    const running = runner('echo answer', 300)('/s', [], { maxBytes: 1000 });
    const stat = `/proc/${children.at(-1)?.pid}/stat`;
    const busyUntil = performance.now() + 1000;
    while (performance.now() < busyUntil || !readFileSync(stat, 'utf8').includes(') Z '));
    expect(await running).toMatchObject({ ended: 'exit', code: 0 });
  });
});
