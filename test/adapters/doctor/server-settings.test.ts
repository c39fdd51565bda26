import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { createDoctorSensor } from '../../../src/adapters/doctor/doctor-sensor.ts';
import { type AskTmux, readServerSettings } from '../../../src/adapters/doctor/server-settings.ts';
import { createTmuxRunner } from '../../../src/adapters/tmux/run-tmux.ts';
import { LEAKED_VARIABLES } from '../../../src/engine/act/caller-environment.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { until } from '../../support/until.ts';

const servers: PrivateTmux[] = [];
const closers: (() => void)[] = [];

/** A server that a test's process started with these variables, and with one session. */
async function server(env: Record<string, string> = {}): Promise<PrivateTmux> {
  const made = new PrivateTmux();
  servers.push(made);
  const clean = Object.fromEntries(
    Object.entries(made.env).filter(([name]) => !LEAKED_VARIABLES.includes(name)),
  );
  Object.defineProperty(made, 'env', { value: { ...clean, ...env } });
  await made.session('first');
  return made;
}

/** A client that stays attached, so that nothing is destroyed for want of one. */
async function attach(tmux: PrivateTmux, name: string): Promise<void> {
  const client = spawn('tmux', ['-S', tmux.socketPath, '-C', 'attach-session', '-t', `=${name}`], {
    env: tmux.env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  closers.push(() => client.kill('SIGKILL'));
  await until(
    'the client is attached',
    () => tmux.tmux('list-clients', '-F', '#{session_name}'),
    (names) => names.includes(name),
  );
}

afterEach(() => {
  for (const close of closers.splice(0)) close();
  for (const one of servers.splice(0)) one.stop();
});

const sensorFor = (forks: string[][] = []) =>
  createDoctorSensor({
    run: createTmuxRunner({
      env: process.env,
      timeoutMs: 15_000,
      spawn: (file, argv, options) => {
        forks.push([...argv]);
        return spawn(file, argv, options);
      },
    }),
    ...{ folder: '/nowhere', spoolFolder: '/nowhere/spool', uid: 0, user: 'me', watched: LEAKED_VARIABLES },
  });
const settingsOf = async (tmux: PrivateTmux, pid = tmux.serverPid) =>
  (await sensorFor().settings([{ socketPath: tmux.socketPath, pid }]))[0];

describe('the settings of a tmux server', () => {
  it('are read from a real one, which is left as it is', async () => {
    const tmux = await server();
    const before = await tmux.tmux('show-options', '-g');
    expect(await settingsOf(tmux)).toEqual({
      ...{ state: 'read', socketPath: tmux.socketPath, pid: tmux.serverPid },
      options: { 'exit-unattached': 'off', 'destroy-unattached': 'off' },
      ...{ destroyed: [], leaked: [] },
    });
    expect(await tmux.tmux('show-options', '-g')).toBe(before);
  });

  it('tell of options that end sessions, of all and of single ones', async () => {
    const tmux = await server();
    const { sessionId } = await tmux.session('second');
    await attach(tmux, 'second');
    await tmux.tmux('set-option', '-t', `${sessionId}:`, 'destroy-unattached', 'on');
    expect(await settingsOf(tmux)).toMatchObject({
      options: { 'destroy-unattached': 'off' },
      destroyed: [{ sessionId, value: 'on' }],
    });
    await attach(tmux, 'first');
    await tmux.tmux(
      'set-option',
      '-g',
      'destroy-unattached',
      'on',
      ';',
      'set-option',
      '-s',
      'exit-unattached',
      'on',
    );
    const seen = await settingsOf(tmux);
    expect(seen).toMatchObject({ options: { 'exit-unattached': 'on', 'destroy-unattached': 'on' } });
    expect(seen?.state === 'read' && seen.destroyed).toHaveLength(2);
  });

  it('name the marks of an agent in its global environment, and never a value', async () => {
    const tmux = await server({
      CLAUDECODE: '1',
      CODEX_THREAD_ID: 'secret',
      // A value is no name, whatever it looks like.
      NOISE: 'a\nGEMINI_CLI="1"; export GEMINI_CLI;\n"b" $c `d` \\ = é',
      CLAUDE_CONFIG_DIR: '/settings/of/a/person',
    });
    await tmux.tmux('set-environment', '-gr', 'OPENCODE_PID');
    const seen = await settingsOf(tmux);
    expect(seen).toMatchObject({ state: 'read', leaked: ['CLAUDECODE', 'CODEX_THREAD_ID'] });
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  it('cost one fork for each server, however many sessions it has', async () => {
    const tmux = await server();
    for (const name of ['a', 'b', 'c', 'd']) await tmux.session(name);
    const forks: string[][] = [];
    await sensorFor(forks).settings([{ socketPath: tmux.socketPath, pid: tmux.serverPid }]);
    expect(forks).toHaveLength(1);
  });

  it('S3: are not those of another server that took the socket', async () => {
    const tmux = await server();
    expect(await settingsOf(tmux, 1)).toMatchObject({
      state: 'failed',
      text: 'another server answers there now',
    });
  });

  it('S32: are not known of a server that is gone or silent', async () => {
    const tmux = await server();
    await tmux.killServer();
    expect(await settingsOf(tmux)).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('no server'),
    });
    const silent: AskTmux = async () => ({ ended: 'timeout' });
    expect(await readServerSettings(silent, { socketPath: '/s', pid: 1 }, [], 'n')).toMatchObject({
      text: 'tmux did not answer in time',
    });
  });

  it('S57: are not made of half an answer', async () => {
    const half =
      (text: string): AskTmux =>
      async () => ({ ended: 'exit', code: 0, stdout: Buffer.from(text), stderr: '' });
    const read = (text: string) => readServerSettings(half(text), { socketPath: '/s', pid: 1 }, ['A'], 'n');
    expect(await read('1n\nn\n')).toMatchObject({ state: 'failed', text: 'it gave no whole answer' });
    expect(await read('1n\nn\nn\nA="x"; export A;\nn\n')).toMatchObject({ state: 'read', leaked: ['A'] });
    expect(await read('1n\nn\nn\nwhat is this\nn\n')).toMatchObject({ state: 'read', leaked: null });
    expect(await read('1n\ndestroy-unattached keep-last\nn\n$0 keep-last\n$1 off\nn\nn\n')).toMatchObject({
      destroyed: [{ sessionId: '$0', value: 'keep-last' }],
    });
  });
});
