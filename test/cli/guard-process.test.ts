import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sentinelSchema } from '../../src/contract/guard-schemas.ts';
import { ROLLCALL } from '../support/command.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
beforeEach(() => {
  tmux = new PrivateTmux('guarded');
});
afterEach(() => tmux.stop());

/** The built command as a process of its own, once it watches. */
async function start(pid: number, ...argv: string[]) {
  const env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
  const [program = '', script = ''] = ROLLCALL.split(' ');
  const child = spawn(program, [script, 'guard', '--server', tmux.socketPath, ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.resume();
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await until('it watches', () => openFiles(child.pid ?? 0).includes(`/proc/${pid}/stat`));
  return { child, ended };
}

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return [];
    }
  });
}

describe('rollcall guard as a process', () => {
  it.each([[], ['--json']])(
    'leaves its sentinel though nobody reads its output any more %j',
    async (...flags) => {
      const { pid } = await tmux.session('build', 'sleep', '1000');
      const path = join(tmux.folder, 'sentinel.json');
      const { child, ended } = await start(pid, 'build', '--follow', '--sentinel', path, ...flags);
      child.stdout.destroy();
      process.kill(pid, 'SIGKILL');
      const [exitCode] = await ended;
      expect(v.parse(sentinelSchema, JSON.parse(readFileSync(path, 'utf8')))).toMatchObject({
        reason_category: 'infra_failure',
      });
      expect(exitCode).toBe(8);
    },
  );

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s with %i, and writes nothing', async (signal, exit) => {
    const { pid } = await tmux.session('build', 'sleep', '1000');
    const path = join(tmux.folder, 'sentinel.json');
    const { child, ended } = await start(pid, 'build', '--follow', '--sentinel', path);
    child.kill(signal);
    expect(await ended).toEqual([exit, null]);
    expect(readdirSync(tmux.folder)).not.toContain('sentinel.json');
  });
});
