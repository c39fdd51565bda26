import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ON_PIPES } from '../support/on-pipes.ts';
import { until } from '../support/until.ts';
import { hasWorlds, type Inhabitant, World } from './world.ts';

interface Found {
  readonly pid: number;
  readonly class: string;
  readonly fixable: boolean;
  readonly text: string;
}

describe.skipIf(!hasWorlds)('law 1: the doctor ends nothing that works or that somebody left running', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
    await world.session('keeps-the-server');
  });
  afterEach(() => world.close());

  const running = (name: string): Inhabitant | undefined =>
    world.processes().find(({ argv, state }) => argv[0] === name && state !== 'Z');
  const pidOf = async (name: string) => (await until(`${name} runs`, () => running(name)))?.pid ?? 0;
  const called = (name: string, program = 'sleep 100000') => `bash -c "exec -a ${name} ${program}"`;

  /** A session under care that starts these, each in the background, and is then gone. */
  async function leaves(...commands: string[]): Promise<void> {
    // Each in a group of its own, as a shell gives to a job: what tmux hangs up does not reach it.
    const jobs = commands.map((command) => `${command} </dev/null >/dev/null 2>&1 &`);
    const script = `set -m\n${jobs.join('\n')}\nexec sleep 1000`;
    const { exitCode, stderr } = await world.ask([
      'run',
      '--name',
      'worker',
      '--plain',
      '--',
      'bash',
      '-c',
      script,
    ]);
    if (exitCode !== 0) throw new Error(stderr);
  }

  async function foundIn(argv: readonly string[]): Promise<Found[]> {
    const { checks } = await world.json<{ checks: { findings: Found[] }[] }>(argv);
    return checks.flatMap(({ findings }) => findings);
  }

  const CHECKS = ['doctor', '--only', 'agent-processes,helper-processes'];

  test('a run that a person detached, and programs of every name, are told and live on', async () => {
    const bystanders = await world.bystanders();
    const names = ['firefox', 'postgres', 'qemu-system-x86', 'rsync', 'borg', 'restic', 'mysqld', 'ffmpeg'];
    await leaves(
      `nohup setsid ${called('train', "bash -c 'while :; do :; done'")}`,
      ...names.map((name) => `setsid ${called(name)}`),
    );
    const pids = await Promise.all(['train', ...names].map(pidOf));
    await world.tmux('kill-session', '-t', '=worker');
    const { exitCode } = await world.rollcall([...CHECKS, '--fix', '--yes']);
    expect(exitCode).toBe(0);
    expect(pids.filter((pid) => !world.isAlive(pid))).toEqual([]);
    const found = (await foundIn(CHECKS)).filter(({ pid }) => pids.includes(pid));
    expect(found.map(({ pid }) => pid).sort()).toEqual([...pids].sort());
    expect(new Set(found.map((one) => `${one.class} ${one.fixable}`))).toEqual(
      new Set(['left-running false']),
    );
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('an idle helper of an agent that has ended is ended; one that works, that was detached, or that only has the name is not', async () => {
    const marked = 'env CLAUDECODE=1 CLAUDE_PID=99999';
    writeFileSync(join(world.folder, 'served.sh'), `${ON_PIPES} exec "$@"`);
    const served = 'bash served.sh';
    await leaves(
      `${marked} ${served} ${called('mcp-server-idle')}`,
      `${marked} ${served} ${called('mcp-server-busy', "bash -c 'while :; do :; done'")}`,
      `${marked} ${served} ${called('mcp-server-parent', "bash -c 'sleep 100000; :'")}`,
      `${marked} nohup ${served} ${called('mcp-server-kept')}`,
      `${served} ${called('mcp-server-mine')}`,
      `${marked} ${called('mcp-server-named')}`,
      `${marked} setsid ${served} ${called('mcp-server-led')}`,
    );
    const [idle = 0, ...others] = await Promise.all(
      ['idle', 'busy', 'parent', 'kept', 'mine', 'named', 'led'].map((name) => pidOf(`mcp-server-${name}`)),
    );
    await world.tmux('kill-session', '-t', '=worker');
    // What still starts works, and so does what still runs below the program of the pane.
    await until('it rests', async () => (await foundIn(CHECKS)).find(({ pid }) => pid === idle)?.fixable);
    await world.rollcall([...CHECKS, '--fix', '--yes']);
    expect(world.isAlive(idle)).toBe(false);
    expect(others.filter((pid) => !world.isAlive(pid))).toEqual([]);
  });

  test('a helper that somebody can talk to or has stopped is told and lives on; one whose other ends are closed is ended', async () => {
    const marked = 'env CLAUDECODE=1 CLAUDE_PID=99999';
    const file = (name: string, text: string) => writeFileSync(join(world.folder, name), text);
    file('served.sh', `${ON_PIPES} exec "$@"`);
    // As agents on Node start their servers: on sockets.
    file(
      'starter.js',
      `const { spawn } = require('node:child_process');
      spawn('sleep', ['100000'], { argv0: process.argv[2], stdio: ['pipe', 'pipe', 'ignore'] }).unref();
      if (process.argv[3] === 'stays') setInterval(() => {}, 1e6); else process.exit();`,
    );
    file('listens.js', "require('node:net').createServer().listen(0, '127.0.0.1');");
    await leaves(
      `${marked} node starter.js mcp-server-left`,
      `${marked} setsid node starter.js mcp-server-used stays`,
      `setsid sleep 100001 | ${marked} ${called('mcp-server-piped')} | setsid sleep 100002`,
      `${marked} bash served.sh ${called('mcp-server-heard', 'node listens.js')}`,
      `${marked} bash served.sh ${called('mcp-server-stopped')}`,
    );
    const [ended = 0, ...others] = await Promise.all(
      ['left', 'used', 'piped', 'heard', 'stopped'].map((name) => pidOf(`mcp-server-${name}`)),
    );
    await world.tmux('kill-session', '-t', '=worker');
    const tell = async () => new Map((await foundIn(CHECKS)).map((one) => [one.pid, one]));
    // What still starts works, and is told as such.
    const isSettled = (one: Found | undefined) =>
      /outlived session 'worker'(?!; it works)/.test(one?.text ?? '');
    await until('all of them rest', tell, (all) =>
      [ended, ...others].every((pid) => isSettled(all.get(pid))),
    );
    await world.sh(`kill -STOP ${others.at(-1)}`);
    await until('it is stopped', () => running('mcp-server-stopped')?.state === 'T');
    const told = await tell();
    expect(others.map((pid) => told.get(pid)?.text.replace(/^.*'worker'; | \(pid \d+\)/g, ''))).toEqual([
      'it runs below node, which lives',
      'sleep can talk to it, through a pipe or a file',
      'it listens on a socket, so others may use it',
      'it was stopped in the middle of what it does',
    ]);
    await world.rollcall([...CHECKS, '--fix', '--yes']);
    expect(others.filter((pid) => !world.isAlive(pid))).toEqual([]);
    expect(world.isAlive(ended)).toBe(false);
  });

  test('a person ends what was left running by its number, and only what is listed', async () => {
    const bystanders = await world.bystanders();
    await leaves(`setsid ${called('train')}`, `setsid ${called('other')}`);
    const [train = 0, other = 0] = [await pidOf('train'), await pidOf('other')];
    const job = await pidOf('bystander-job');
    await world.tmux('kill-session', '-t', '=worker');
    expect((await world.rollcall(['doctor', '--fix', '--pid', String(job), '--yes'])).exitCode).toBe(2);
    expect((await world.rollcall(['doctor', '--fix', '--pid', String(train)])).exitCode).toBe(2);
    expect([world.isAlive(train), world.isAlive(job)]).toEqual([true, true]);
    const { stdout } = await world.rollcall(['doctor', '--fix', '--pid', String(train), '--yes']);
    expect(stdout).toContain('it has ended');
    expect([world.isAlive(train), world.isAlive(other)]).toEqual([false, true]);
    expect(await bystanders.harmed()).toEqual([]);
  });
});
