import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { handOver } from '../../../src/compose/daemon/hand-over.ts';
import { bundle } from '../../support/bundle.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-hand-over-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sh = (script: string, ...words: string[]) => ['/bin/sh', '-c', script, 'sh', ...words];

it('gives what the command said, and how it ended', async () => {
  expect(await handOver({}, sh('echo "$1"; echo no >&2; exit 3', 'yes'))).toEqual({
    ...{ code: 3, stdout: 'yes\n', stderr: 'no\n' },
  });
  expect(await handOver({}, sh('kill -9 $$'))).toMatchObject({ code: 1 });
  await expect(handOver({}, [join(folder, 'none')])).rejects.toThrow('ENOENT');
});

it('hands on the environment without what says that it belongs to the pane, in a session of its own', async () => {
  const env = { PATH: process.env.PATH, A: '1', TMUX: '/s,7,0', TMUX_PANE: '%1' };
  const marks = { ROLLCALL_RUN: 'r-1', ROLLCALL_OWNER: 'me' };
  const { stdout } = await handOver({ ...env, ...marks }, sh('env; pwd; cut -d" " -f1,6 /proc/$$/stat'));
  expect(stdout).toMatch(/^A=1$/m);
  expect(stdout).toMatch(/^TMUX=/m);
  expect(stdout).not.toMatch(/TMUX_PANE|ROLLCALL_/);
  const [where, ids] = stdout.trimEnd().split('\n').slice(-2);
  expect(where).toBe('/');
  const [pid, session] = ids?.split(' ') ?? [];
  expect(session).toBe(pid);
});

it('the command goes on when whoever handed it over is gone', async () => {
  const [begun, go, ended] = ['begun', 'go', 'ended'].map((name) => join(folder, name)) as [
    ...[string, string, string],
  ];
  const script = 'echo $$ > "$1"; until [ -e "$2" ]; do sleep 0.02; done; echo over > "$3"';
  const caller = join(folder, 'caller.ts');
  const from = new URL('../../../src/compose/daemon/hand-over.ts', import.meta.url).pathname;
  const built = join(folder, 'caller.mjs');
  writeFileSync(
    caller,
    `import { handOver } from ${JSON.stringify(from)};\nawait handOver(process.env, ${JSON.stringify(sh(script, begun, go, ended))});\n`,
  );
  await bundle({ input: caller, file: built, format: 'esm' });
  const parent = spawn(process.execPath, [built], { detached: true, stdio: 'ignore' });
  const gone = new Promise((resolve) => parent.on('exit', resolve));
  const pid = await until('it runs', () => existsSync(begun) && Number(readFileSync(begun, 'utf8')));
  // As tmux ends the program of a pane that it puts another one into: the whole group, by SIGHUP.
  process.kill(-(parent.pid as number), 'SIGHUP');
  await gone;
  expect(() => process.kill(pid as number, 0)).not.toThrow();
  writeFileSync(go, '');
  await until('it has ended by itself', () => existsSync(ended) && readFileSync(ended, 'utf8') === 'over\n');
});
