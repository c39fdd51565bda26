import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginDaemon } from '../../src/compose/daemon/daemon.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { downDocumentSchema, upDocumentSchema } from '../../src/contract/daemon-schemas.ts';
import { rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import { statusDocumentSchema } from '../../src/contract/status-schema.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { hasPrivateMounts } from '../support/private-mounts.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let env: NodeJS.ProcessEnv;
let state: string;
let started: ChildProcess[];
const pages: PrivateTmux[] = [];

beforeEach(async () => {
  tmux = new PrivateTmux('ward');
  state = join(tmux.folder, 'state');
  env = { ...tmux.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(tmux.folder, 'config') };
  mkdirSync(join(tmux.folder, 'config/rollcall'), { recursive: true });
  configure({});
  started = [];
  await tmux.session('calm');
});
afterEach(async () => {
  await inside('down');
  for (const child of started) child.kill('SIGKILL');
  for (const page of pages.splice(0)) page.stop();
  tmux.stop();
});

// Any port that is free: daemons of other tests have theirs.
const configure = (daemon: object) =>
  writeFileSync(
    join(tmux.folder, 'config/rollcall/config.json'),
    JSON.stringify({ daemon: { port: 0, ...daemon } }),
  );
/** Only the test's own server: others of the machine are found too. */
const here = (...argv: string[]) => rollcall(['--server', tmux.socketPath, ...argv], env);
/** The same in this process: for what clears up, or asks again and again. */
const inside = (...argv: string[]) => rollcallInside(['--server', tmux.socketPath, ...argv], env);
const up = async (...argv: string[]) => {
  const ran = await here('up', '--json', ...argv);
  if (ran.exitCode !== 0) throw new Error(ran.stdout + ran.stderr);
  return v.parse(upDocumentSchema, JSON.parse(ran.stdout));
};
const down = async () => v.parse(downDocumentSchema, JSON.parse((await here('down', '--json')).stdout));
const status = async () =>
  v.parse(statusDocumentSchema, JSON.parse((await inside('status', '--json')).stdout));
const isAlive = (pid: number | null) => {
  try {
    return pid !== null && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};
const log = () => readFileSync(join(state, 'rollcall/daemon.log'), 'utf8');

/** `rollcall up --foreground` without a terminal, and what it prints. */
function foreground(argv: readonly string[], own: NodeJS.ProcessEnv = env) {
  const [program = '', ...words] = argv;
  const child = spawn(program, words, { env: own, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  started.push(child);
  const printed = { child, text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed.text += text;
    });
  }
  return printed;
}
const words = () => [...ROLLCALL.split(' '), 'up', '--foreground', '--server', tmux.socketPath];

describe('rollcall up and down', () => {
  test('start it once, tell of it, and end it once', async () => {
    expect((await status()).daemon).toMatchObject({ running: false, pid: null });
    const first = await up();
    expect(first).toMatchObject({
      result: 'started',
      problems: [],
      daemon: {
        running: true,
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        socket: join(state, 'rollcall/rollcall.sock'),
        tokenFile: join(state, 'rollcall/token'),
      },
    });
    const { pid } = first.daemon;
    expect(await up()).toMatchObject({ result: 'already-running', daemon: { pid } });
    const plain = await here('up');
    expect(plain).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`runs already (pid ${pid}`) });
    const seen = await until('its first standing', status, ({ supervision }) => supervision !== null);
    expect(seen).toMatchObject({
      daemon: first.daemon,
      supervision: { reaper: { mode: 'shadow', pending: null } },
    });
    expect((await here('status')).stdout).toMatch(/DAEMON\n {2}runs, started .* \(pid \d+\)\n {2}http:/);
    expect(await down()).toEqual({ schemaVersion: 1, result: 'stopped', pid });
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(state, 'rollcall/daemon.json'))).toBe(false);
    expect(await down()).toMatchObject({ result: 'not-running', pid: null });
    expect(await here('down')).toMatchObject({ exitCode: 0, stdout: 'no daemon runs\n' });
    expect(log()).toContain('"event":"stopped"');
  });

  test('of two who start it at the same time, both find one daemon', async () => {
    const both = await Promise.all([up(), up()]);
    expect(new Set(both.map(({ daemon }) => daemon.pid)).size).toBe(1);
  });

  test('S50: killed at any time, it is told apart from one that runs, and the next one goes on', async () => {
    const { daemon } = await up();
    process.kill(daemon.pid ?? 0, 'SIGKILL');
    // Its first thread may be gone while another still holds its lock.
    const seen = await until('it is gone', status, (one) => !one.daemon.running);
    expect(seen.daemon).toMatchObject({ running: false, pid: null, url: null });
    const next = await up();
    expect(next).toMatchObject({ result: 'started' });
    expect(next.daemon.pid).not.toBe(daemon.pid);
    const roll = v.parse(rollDocumentSchema, JSON.parse((await inside('--json')).stdout));
    expect(roll.sessions.map(({ name }) => name)).toEqual(['calm']);
    expect(roll.problems).toEqual([]);
  });

  test('says why it could not start, with the end of its log', async () => {
    mkdirSync(join(tmux.folder, 'elsewhere'));
    mkdirSync(state);
    symlinkSync(join(tmux.folder, 'elsewhere'), join(state, 'rollcall'));
    const ran = await here('up');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('it is a symbolic link');
    configure({ port: 'many' });
    expect(await here('up')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('daemon.port') });
  });

  test('a port that another has costs nothing: it takes a free one, and none where HTTP is off', async () => {
    const first = await up();
    const port = Number(new URL(first.daemon.url ?? '').port);
    const other = { ...env, XDG_STATE_HOME: join(tmux.folder, 'other') };
    configure({ port });
    const second = v.parse(
      upDocumentSchema,
      JSON.parse((await rollcall(['up', '--json', '--server', tmux.socketPath], other)).stdout),
    );
    expect(second.daemon.url).toMatch(/^http:/);
    expect(second.daemon.url).not.toBe(first.daemon.url);
    await rollcallInside(['down'], other);
    configure({ http: 'off' });
    const third = v.parse(
      upDocumentSchema,
      JSON.parse((await rollcall(['up', '--json', '--server', tmux.socketPath], other)).stdout),
    );
    expect(third.daemon).toMatchObject({ url: null, socket: expect.stringContaining('rollcall.sock') });
    await rollcallInside(['down'], other);
  });
});

describe('S47: stopping rollcall', () => {
  test('with the terminal that started it leaves the daemon', async () => {
    const page = new PrivateTmux('terminal');
    pages.push(page);
    const variables = ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'TMUX_TMPDIR'].map(
      (name) => `${name}=${env[name]}`,
    );
    const typed = `${ROLLCALL} up --json --server ${tmux.socketPath}; cat`;
    const { pid: shell } = await page.session('terminal', 'env', ...variables, 'sh', '-c', typed);
    const seen = await until('the daemon', status, ({ daemon }) => daemon.url !== null);
    await page.killServer();
    await until('its shell has heard of that', () => !isAlive(shell));
    expect((await status()).daemon).toMatchObject({ running: true, pid: seen.daemon.pid });
    // A session, a group and a folder of its own; and it is in no pane.
    const { pid } = seen.daemon;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    expect([Number(fields[2]), Number(fields[3])]).toEqual([pid, pid]);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/(^|\0)TMUX(_PANE)?=/);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    '%s to its whole group leaves a tmux server that it started',
    async (signal) => {
      const label = `born-${signal.toLowerCase()}`;
      const born = new PrivateTmux(label, join(tmux.folder, label));
      mkdirSync(born.folder);
      const script = `${ROLLCALL} run --server ${born.socketPath} --name child -- sleep 1000; exec ${words().join(' ')}`;
      mkdirSync(join(born.folder, `tmux-${process.getuid?.()}`), { mode: 0o700 });
      const run = foreground(['sh', '-c', script], { ...env, TMUX_TMPDIR: born.folder });
      try {
        await until(
          'it runs',
          () => run.text,
          (text) => text.includes('the daemon runs'),
        );
        const server = Number(await born.tmux('display-message', '-p', '#{pid}'));
        process.kill(-(run.child.pid ?? 0), signal);
        await until('it ended', () => run.child.exitCode !== null || run.child.signalCode !== null);
        expect(isAlive(server)).toBe(true);
        expect(await born.tmux('list-sessions', '-F', '#{session_name}')).toBe('child');
      } finally {
        await born.killServer();
        born.stop();
      }
    },
  );
});

describe('rollcall up --foreground', () => {
  test('without a terminal prints when it is ready and what changes, and ends with a signal', async () => {
    const run = foreground(words());
    await until(
      'it runs',
      () => run.text,
      (text) => /the daemon runs \(pid \d+\)\n {2}url/.test(text),
    );
    await tmux.session('new');
    await until(
      'the new one',
      () => run.text,
      (text) => text.includes('new (ward): not there →'),
    );
    await tmux.tmux('kill-session', '-t', '=new');
    await until(
      'its end',
      () => run.text,
      (text) => text.includes('→ not there'),
    );
    run.child.kill('SIGINT');
    await until(
      'it ended',
      () => run.child.exitCode,
      (code) => code === 0,
    );
    expect((await status()).daemon.running).toBe(false);
  });

  test('on a terminal shows the live roll with its own state above it, until q', async () => {
    const page = new PrivateTmux('page');
    pages.push(page);
    const command = `${words().join(' ')}; echo "ended $?"; cat`;
    const variables = ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'TMUX_TMPDIR'].map(
      (name) => `${name}=${env[name]}`,
    );
    await page.session('page', 'env', ...variables, 'sh', '-c', command);
    const shown = () => page.tmux('capture-pane', '-p', '-t', '=page:');
    const head = /daemon, round \d+ · memory \w+ · reaper shadow · http:\/\/127/;
    await until('the roll', shown, (text) => text.includes('calm') && head.test(text));
    await tmux.session('new');
    await until('a new session', shown, (text) => text.includes('new'));
    // Beside it another one says so, and shows the same roll.
    await page.session('beside', 'env', ...variables, 'sh', '-c', command);
    const beside = () => page.tmux('capture-pane', '-p', '-S', '-', '-t', '=beside:');
    await until('the roll beside it', beside, (text) => text.includes('calm'));
    await page.tmux('send-keys', '-t', '=beside:', 'q');
    await until('its end', beside, (text) => /a daemon runs already \(pid \d+[\s\S]*ended 0/.test(text));
    expect((await status()).daemon.running).toBe(true);
    await page.tmux('send-keys', '-t', '=page:', 'q');
    await until('its end', shown, (text) => text.includes('ended 0'));
    expect((await status()).daemon.running).toBe(false);
  });

  test.skipIf(!hasPrivateMounts)('S36: a full disk is told, and supervision goes on', async () => {
    mkdirSync(state, { mode: 0o700 });
    const disk = await new SmallDisk(state).ready();
    try {
      const run = foreground(disk.inside(...words()));
      await until(
        'it runs',
        () => run.text,
        (text) => text.includes('the daemon runs'),
      );
      const [program, ...filling] = disk.inside('sh', '-c', `cat /dev/zero > ${state}/filler`);
      const fill = spawn(program, filling, { stdio: 'ignore' });
      await until(
        'the disk is full',
        () => fill.exitCode,
        (code) => code !== null,
      );
      await tmux.session('new');
      await until(
        'the new one',
        () => run.text,
        (text) => text.includes('new (ward): not there →'),
      );
      await until(
        'what is not saved is told',
        () => run.text,
        (text) => /problem: .* was not saved/.test(text),
      );
      expect(run.child.exitCode).toBe(null);
      run.child.kill('SIGTERM');
      await until(
        'it ended',
        () => run.child.exitCode,
        (code) => code === 0,
      );
    } finally {
      disk.remove();
    }
  });
});

test('a port that cannot be had at all is told, and costs neither the socket nor supervision', async () => {
  const settings = toSettings(defaultValues());
  // No system has such a port; the settings do not allow it.
  const impossible = { ...settings, daemon: { ...settings.daemon, port: 70_000 } };
  const begun = await beginDaemon(
    { env, settings: impossible },
    { servers: [tmux.socketPath], version: 'x' },
  );
  if (begun.state !== 'begun') throw new Error(begun.state);
  try {
    const note = await begun.supervision.ready;
    expect(note).toMatchObject({ url: null, problems: [expect.stringMatching(/^no port: /)] });
    expect(existsSync(note.socket ?? '')).toBe(true);
    expect((await begun.supervision.desk.lookNow()).roll.sessions).toMatchObject([{ name: 'calm' }]);
  } finally {
    await begun.supervision.stop();
  }
});

describe('rollcall up --install', () => {
  test('shows the unit, asks, writes it, and takes it away again', async () => {
    const bin = join(tmux.folder, 'bin');
    mkdirSync(bin);
    const asked = join(tmux.folder, 'asked');
    writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >> '${asked}'\n`, { mode: 0o755 });
    const own = { ...env, PATH: `${bin}:${env.PATH}` };
    const install = (...argv: string[]) => rollcall(['up', ...argv], own);
    const path = join(tmux.folder, 'config/systemd/user/rollcall.service');
    expect(await install('--install')).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining('KillMode=process'),
    });
    expect(existsSync(path)).toBe(false);
    const done = await install('--install', '--yes');
    expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`wrote ${path}`) });
    expect(readFileSync(path, 'utf8')).toContain(`ExecStart="${process.execPath}"`);
    expect(readFileSync(path, 'utf8')).toContain('"up" "--foreground"');
    expect(
      v.parse(upDocumentSchema, JSON.parse((await install('--uninstall', '--yes', '--json')).stdout)),
    ).toMatchObject({
      result: 'uninstalled',
      service: { path, missed: [] },
    });
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(asked, 'utf8')).toContain('--user enable --now rollcall.service');
    expect(await install('--uninstall')).toMatchObject({
      exitCode: 0,
      stdout: 'no unit of rollcall is installed\n',
    });
    expect(await install('--install', '--foreground')).toMatchObject({ exitCode: 2 });
  });
});

describe('rollcall events', () => {
  test('needs a daemon, and then tells what changes, of the sessions that are wanted', async () => {
    const alone = await here('events');
    expect([alone.exitCode, alone.stderr]).toEqual([
      9,
      expect.stringContaining('hint: start one: rollcall up'),
    ]);
    await up();
    const told: string[] = [];
    const [program = '', ...words] = ROLLCALL.split(' ');
    const child = spawn(program, [...words, 'events', 'new-*', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    child.stdout.setEncoding('utf8').on('data', (text: string) => told.push(text));
    // The last one may not have come whole.
    const lines = () => told.join('').split('\n').slice(0, -1);
    let number = 0;
    await until('it tells of a session that came', async () => {
      number += 1;
      await tmux.session(`new-${number}`, 'sleep', '1000');
      await tmux.session(`other-${number}`, 'sleep', '1000');
      return lines().some((line) => line.includes('"new-'));
    });
    for (const line of lines()) {
      const { kind, session } = JSON.parse(line) as { kind: string; session: { name: string } };
      expect([kind, session.name]).toEqual(['session', expect.stringMatching(/^new-/)]);
    }
    child.kill('SIGINT');
    await until('it has ended', () => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
  });
});
