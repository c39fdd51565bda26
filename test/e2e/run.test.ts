import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { actedDocumentSchema } from '../../src/contract/acted-schema.ts';
import { logDocumentSchema } from '../../src/contract/ledger-schemas.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../support/private-mounts.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let env: NodeJS.ProcessEnv;
let state: string;

beforeEach(() => {
  // The label that is taken where nobody names another.
  tmux = new PrivateTmux('default');
  state = join(tmux.folder, 'state');
  env = { ...tmux.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(tmux.folder, 'config') };
  mkdirSync(state);
});
afterEach(() => tmux.stop());

const here = (...argv: string[]) => rollcall(argv, env);
const started = async (...argv: string[]) => {
  const { stdout, stderr } = await here('run', '--json', ...argv);
  return v.parse(actedDocumentSchema, JSON.parse(stdout || JSON.stringify({ stderr })));
};
const names = () => tmux.tmux('list-sessions', '-F', '#{session_name}').catch(() => '');
const log = async () => {
  const { stdout } = await rollcallInside(['log', '--json'], env);
  return v.parse(logDocumentSchema, JSON.parse(stdout)).entries;
};
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe('rollcall run', () => {
  test('S5: uses the default socket of TMUX_TMPDIR, the server around it, or the one that is named', async () => {
    const first = await started('--name', 'a', '--', 'sleep', '1000');
    expect(first.server).toMatchObject({ socketPath: tmux.socketPath, label: 'default' });

    const other = new PrivateTmux('other', tmux.folder);
    const { paneId } = await other.session('outer');
    await other.tmux(
      'send-keys',
      '-t',
      paneId,
      '-l',
      `XDG_STATE_HOME=${state} ${ROLLCALL} run --name a -- sleep 1000`,
    );
    await other.tmux('send-keys', '-t', paneId, 'Enter');
    await until('it is there', async () =>
      (await other.tmux('list-sessions', '-F', '#{session_name}')).includes('a'),
    );
    expect(await names()).toBe('a');

    const third = await started('--server', 'other', '--name', 'b', '--', 'sleep', '1000');
    expect(third.server.socketPath).toBe(other.socketPath);
    other.stop();
  });

  test('S47: the session outlives its launcher, the launcher’s whole group and its terminal', async () => {
    const launcher = spawn('sh', ['-c', `${ROLLCALL} run --name a -- sleep 1000; exec sleep 1000`], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const end = (signal: NodeJS.Signals) => {
      try {
        process.kill(-(launcher.pid ?? 0), signal);
      } catch {
        // The group is gone already.
      }
    };
    onTestFinished(() => end('SIGKILL'));
    let said = '';
    launcher.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until('it was started', () => said.includes('started'));
    const pid = Number(await tmux.tmux('list-panes', '-a', '-F', '#{pane_pid}'));
    const serverPid = Number(await tmux.tmux('display-message', '-p', '#{pid}'));
    const groupOf = (one: number) =>
      Number(readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]);
    const sessionOf = (one: number) =>
      Number(readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]);
    expect(groupOf(serverPid)).not.toBe(launcher.pid);
    expect(sessionOf(serverPid)).not.toBe(launcher.pid);
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGKILL'] as const) end(signal);
    await until('the launcher is gone', () => launcher.exitCode !== null || launcher.signalCode !== null);
    expect(isAlive(pid)).toBe(true);
    expect(await names()).toBe('a');
  });

  test('S52: --lock holds the project’s lock for as long as the program lives', async () => {
    const project = join(tmux.folder, 'project');
    mkdirSync(project);
    const one = await started(
      '--name',
      'a',
      '--cwd',
      project,
      '--task',
      'T-1',
      '--lock',
      '--',
      'sleep',
      '1000',
    );
    const locked = () => rollcall(['lock', '--project', project, '--', 'true'], env);
    await until('it is locked', async () => (await locked()).exitCode === 7);
    const second = await here('run', '--name', 'b', '--cwd', project, '--lock', '--', 'sleep', '1000');
    expect(second.exitCode).toBe(7);
    expect(second.stderr).toContain('task T-1');
    expect(await names()).toBe('a');
    expect((await log()).map(({ session }) => session?.name)).toEqual(['a', 'a']);
    const besides = await here(
      'run',
      '--name',
      'c',
      '--cwd',
      project,
      '--lock',
      '--lock-name',
      'x',
      '--',
      'sleep',
      '1000',
    );
    expect(besides.exitCode).toBe(0);

    // Whatever becomes of the command in between.
    process.kill(one.panes[0]?.pid ?? 0, 'SIGKILL');
    const sleeper = (await rollcall(['lock', 'status', '--project', project, '--json'], env)).stdout;
    const { locks } = JSON.parse(sleeper) as { locks: { name: string; heldBy: { pid: number }[] }[] };
    const pids = locks.find(({ name }) => name === 'runner')?.heldBy.map(({ pid }) => pid) ?? [];
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    await until('it is free', async () => (await locked()).exitCode === 0);
  });

  test('an agent is identifiable from its start, also behind the lock', async () => {
    const bin = join(tmux.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\nwhile :; do sleep 1; done\n', { mode: 0o755 });
    const one = await started('--name', 'a', '--cwd', bin, '--lock', '--', join(bin, 'claude'), 'fix it');
    const [intent] = await log();
    expect(intent?.body.agent).toMatchObject({ kind: 'claude', conversation: expect.any(String) });
    const agent = await until(
      'the agent is seen',
      async () => {
        const { stdout } = await rollcallInside(['explain', one.key, '--json'], env);
        return (JSON.parse(stdout) as { session: { agent: object | null } }).session.agent;
      },
      (seen) => seen !== null,
    );
    expect(agent).toMatchObject(intent?.body.agent as object);
    const plain = await started('--name', 'b', '--plain', '--', join(bin, 'claude'));
    expect(readFileSync(`/proc/${plain.panes[0]?.pid}/cmdline`, 'utf8')).not.toContain('--session-id');
  });

  test('--guard stays and ends with 8 when the program dies', async () => {
    await tmux.session('other');
    const guarding = rollcall(['run', '--guard', '--name', 'a', '--', 'sleep', '1000'], env);
    const pid = await until('it runs', async () => {
      const panes = await tmux.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_pid}');
      return Number(/^a (\d+)$/m.exec(panes)?.[1] ?? 0);
    });
    await until('it is recorded', async () => (await log()).some(({ kind }) => kind === 'outcome'));
    process.kill(pid, 'SIGKILL');
    const ended = await guarding;
    expect(ended.stdout).toMatch(/^a: started/);
    expect(ended.exitCode).toBe(8);
  });
});

describe('endings 7: the environment of rollcall run', () => {
  const variables = async (pid: number) => {
    // Before it is the program it has the environment of tmux.
    const words = () => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    await until('it is the program', words, (text) => text === 'sleep\u00001000\u0000');
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').slice(0, -1);
  };
  const environmentOf = async (more: NodeJS.ProcessEnv, ...flags: string[]) => {
    const argv = ['run', '--json', '--name', `n${Math.random()}`, ...flags, '--', 'sleep', '1000'];
    const { stdout, stderr } = await rollcall(argv, { ...env, ...more });
    const { panes } = v.parse(actedDocumentSchema, JSON.parse(stdout || JSON.stringify({ stderr })));
    return variables(panes[0]?.pid ?? 0);
  };
  const SECRET = 'a secret of the caller';

  test('is that of its caller, also where the tmux server was started with another', async () => {
    await tmux.session('other');
    await tmux.tmux('set-environment', '-g', 'STALE', 'x');
    const path = `bin:${process.env.PATH}`;
    const marks = {
      CLAUDECODE: '1',
      TMUX: `${tmux.socketPath},1,0`,
      TMUX_PANE: '%99',
      TERM: 'dumb',
      COLUMNS: '7',
    };
    const had = await environmentOf({ FOO: '1', PATH: path, ...marks }, '--env', 'BAR=2');
    expect(had).toEqual(expect.arrayContaining(['FOO=1', 'BAR=2', `PATH=${path}`]));
    expect(had.filter((one) => /^(STALE|CLAUDECODE|COLUMNS)=|^TMUX_PANE=%99|^TERM=dumb/.test(one))).toEqual(
      [],
    );
  });

  test('has no value that is not UTF-8 and would arrive changed, and it says so', async () => {
    const set = "BROKEN=$(printf 'a\\377b') WHOLE=$(printf '\\357\\277\\275')";
    const run = (...flags: string[]) =>
      promisify(execFile)(
        'sh',
        ['-c', `${set} exec ${ROLLCALL} run --json ${flags.join(' ')} --name broken -- sleep 1000`],
        { env },
      );
    const { stdout, stderr } = await run();
    expect(stderr).toBe('! BROKEN: not UTF-8, so the program does not get it\n');
    const had = await variables(v.parse(actedDocumentSchema, JSON.parse(stdout)).panes[0]?.pid ?? 0);
    expect(had.filter((one) => /^(BROKEN|WHOLE)=/.test(one))).toEqual(['WHOLE=\ufffd']);
    expect(await tmux.tmux('show-environment', '-g')).not.toContain('BROKEN=');
    await expect(run('--env', 'BROKEN')).rejects.toMatchObject({
      ...{ code: 2, stdout: expect.stringContaining('--env BROKEN: its value is not UTF-8') },
    });
  });

  test('is that of the tmux server with --clean-env', async () => {
    await tmux.session('other');
    await tmux.tmux('set-environment', '-g', 'OF_THE_SERVER', 'x');
    const had = await environmentOf({ FOO: '1' }, '--clean-env', '--env', 'FOO', '--env', 'BAR=2');
    expect(had).toEqual(expect.arrayContaining(['OF_THE_SERVER=x', 'FOO=1', 'BAR=2']));
    const clean = await environmentOf({ FOO: '1' }, '--clean-env');
    expect(clean.filter((one) => one.startsWith('FOO='))).toEqual([]);
  });

  test('is in no argument of a process and in nothing that is recorded, but the names given with --env', async () => {
    const seen: string[] = [];
    const watch = setInterval(() => {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
          if (words.includes(SECRET)) seen.push(words);
        } catch {
          // It has ended.
        }
      }
    }, 10);
    onTestFinished(() => clearInterval(watch));
    // Once it starts the server, whose arguments stay; once it finds it.
    for (const _ of ['first', 'second']) {
      expect(await environmentOf({ FOO: SECRET, OTHER: SECRET }, '--env', 'FOO')).toContain(
        `OTHER=${SECRET}`,
      );
    }
    expect(seen).toEqual([]);
    expect((await log())[0]?.body.env).toEqual(['FOO']);
    const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const paths = files.map((one) => join(one.parentPath, one.name));
    const holding = paths.filter((path) => readFileSync(path).includes(SECRET));
    // What was given with --env is needed to put the session back: it lies in a private file of its own.
    expect(holding.map((path) => [basename(dirname(path)), statSync(path).mode & 0o777])).toEqual([
      ['starts', 0o600],
      ['starts', 0o600],
    ]);
    expect(holding.map((path) => JSON.parse(readFileSync(path, 'utf8')).env)).toEqual([
      { FOO: SECRET },
      { FOO: SECRET },
    ]);
  });
});

describe('S36: where nothing can be recorded', () => {
  const refusal = async () => {
    const { exitCode, stdout, stderr } = await here('run', '--name', 'a', '--', 'sleep', '1000');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(await names()).toBe('other');
    return stderr;
  };

  test('a damaged ledger starts nothing', async () => {
    await tmux.session('other');
    await here('run', '--name', 'first', '--', 'sleep', '1000');
    await tmux.tmux('kill-session', '-t', '=first');
    const file = join(state, 'rollcall', 'ledger.db');
    expect(existsSync(file)).toBe(true);
    // Its log would make it whole again.
    for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
    writeFileSync(file, 'this is no database');
    expect(await refusal()).toMatch(/^rollcall: the ledger: /);
  });

  test('S55: a state folder that is a link starts nothing', async () => {
    await tmux.session('other');
    mkdirSync(join(tmux.folder, 'theirs'));
    symlinkSync(join(tmux.folder, 'theirs'), join(state, 'rollcall'));
    expect(await refusal()).toMatch(/^rollcall: .+\n {2}hint: /);
  });

  test.runIf(hasPrivateMounts)('a full disk and a read-only one start nothing', async () => {
    await tmux.session('other');
    for (const [preparation, text] of [
      [`mount -t tmpfs -o size=4k none '${state}'`, /no room|full|space/],
      [
        `mount -t tmpfs none '${state}'; mkdir -m 700 '${state}/rollcall'; mount -o remount,ro none '${state}'`,
        /read-only|written/,
      ],
    ] as const) {
      const script = `${preparation}; ${ROLLCALL} run --name a -- sleep 1000`;
      const [program = '', ...words] = [...PRIVATE_MOUNTS, 'sh', '-ec', script];
      const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (more: string) => {
        said += more;
      });
      child.stderr.setEncoding('utf8').on('data', (more: string) => {
        said += more;
      });
      const exitCode = await new Promise((resolve) => child.on('close', resolve));
      expect({ exitCode, said }).toMatchObject({ exitCode: 1, said: expect.stringMatching(text) });
      expect(await names()).toBe('other');
    }
  });
});
