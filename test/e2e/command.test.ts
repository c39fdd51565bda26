import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  errorDocumentSchema,
  explainDocumentSchema,
  rollDocumentSchema,
} from '../../src/contract/document-schemas.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  tmux = new PrivateTmux('work');
  env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
});
afterEach(() => tmux.stop());

/** Only the test's own server: others of the machine are found too. */
const here = (...argv: string[]) => rollcall(['--server', tmux.socketPath, ...argv], env);
/** The same in this process: for what is asked again and again. */
const inside = (...argv: string[]) => rollcallInside(['--server', tmux.socketPath, ...argv], env);
const roll = async (...argv: string[]) =>
  v.parse(rollDocumentSchema, JSON.parse((await inside('--json', ...argv)).stdout));

describe('rollcall --json', () => {
  test('gives the documented document, with exact identity', async () => {
    const { sessionId, paneId, pid } = await tmux.session('worker');
    const document = v.parse(rollDocumentSchema, JSON.parse((await here('--json')).stdout));
    expect(document).toMatchObject({ schemaVersion: 1, host: { name: expect.any(String) }, problems: [] });
    const [session] = document.sessions;
    expect(session).toMatchObject({
      name: 'worker',
      sessionId,
      server: {
        socketPath: tmux.socketPath,
        label: 'work',
        pid: tmux.serverPid,
        version: expect.stringMatching(/^\d/),
      },
      host: document.host.id,
      agent: null,
      activity: 'none',
      waitingFor: null,
      lifecycle: 'active',
      role: null,
      task: null,
      owner: null,
      attached: 0,
      retainedUntil: null,
      panes: [{ paneId, pid, activity: 'none' }],
    });
    expect(session?.memoryBytes).toBeGreaterThan(0);
    expect(session?.reasons.length).toBeGreaterThan(0);
  });

  test('filters by lifecycle, activity and name', async () => {
    await tmux.session('a-shell');
    await tmux.session('a-build', 'sleep', '1000');
    await until(
      'the build runs',
      () => roll('--activity=working'),
      (one) => one.sessions.length === 1,
    );
    expect((await roll('--activity=none')).sessions.map((one) => one.name)).toEqual(['a-shell']);
    expect((await roll('--lifecycle=stale,lost')).sessions).toEqual([]);
    expect((await roll('a-*')).sessions).toHaveLength(2);
    expect((await roll('b-*')).sessions).toEqual([]);
  });

  test('S9: odd names come out as they are and are found again', async () => {
    // `##` is how tmux takes a `#` in a new name; dots and colons it stores as underscores.
    const names = [
      ...['-dash', 'with space', 'a.b:c', 'v1.2', 'ünïcödé-漢字', '##{pane_id}', '##(touch pwned)'],
      ...['x'.repeat(300), 'q\'uote"', 'glob*[a]?'],
    ];
    for (const name of names) await tmux.session(name);
    const stored = (await tmux.tmux('list-sessions', '-F', '#{session_name}')).split('\n').sort();
    const document = await roll();
    expect(document.sessions.map((one) => one.name).sort()).toEqual(stored);
    for (const name of ['v1.2', ...stored]) {
      const { exitCode, stdout } = await inside('explain', '--json', '--', name);
      expect([name, exitCode]).toEqual([name, 0]);
      expect(v.parse(explainDocumentSchema, JSON.parse(stdout)).session.evidence.length).toBeGreaterThan(3);
    }
    expect(existsSync(join(tmux.folder, 'pwned'))).toBe(false);
  });
});

describe('naming a session', () => {
  test('S1: a name that is only a prefix of others is not found, and suggests them', async () => {
    await tmux.session('agent-10');
    const { exitCode, stderr } = await here('explain', 'agent-1');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('agent-10');
    await tmux.session('agent-1');
    expect((await inside('explain', 'agent-1')).stdout).toMatch(/^agent-1 /);
    expect((await inside('explain', 'agent-*')).exitCode).toBe(4);
  });

  test('S5: a name on two servers is ambiguous and lists both; the label settles it', async () => {
    const other = new PrivateTmux('play', tmux.folder);
    await tmux.session('twin');
    await other.session('twin');
    const both = ['--server', tmux.socketPath, '--server', other.socketPath, 'explain'];
    const { exitCode, stdout } = await rollcall([...both, 'twin', '--json'], env);
    expect(exitCode).toBe(5);
    expect(v.parse(errorDocumentSchema, JSON.parse(stdout)).error.candidates).toHaveLength(2);
    const settled = await rollcall([...both, 'play:twin'], env);
    expect(settled.exitCode).toBe(0);
    expect(settled.stdout).toContain('play');
    await other.killServer();
  });
});

describe('mistakes', () => {
  test.each([
    [['--lifecyle=stale'], 2, '--lifecycle'],
    [['--lifecycle=sale'], 2, 'stale'],
    [['explain'], 2, 'usage'],
    [['--config', '/nonexistent/config.json'], 2, '/nonexistent/config.json'],
    [['--server', 'nosuchserver'], 4, 'nosuchserver'],
    [['demo', '--keep', '--stop'], 2, '--stop'],
    [['demo', '--stop', '--server', 'nosuchdemo'], 4, 'no demo'],
  ])('%j exits with %i and says what to do', async (argv, exitCode, word) => {
    await tmux.session('here');
    const ran = await rollcall(argv as string[], env);
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toMatch(/^rollcall: /);
    expect(ran.stderr).toContain(word);
  });

  test('a command spelled wrong is taken for a name, and the right one is suggested', async () => {
    await tmux.session('here');
    const { exitCode, stderr } = await here('expalin', 'here');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('rollcall explain');
  });

  test('a broken config file is named with the key and the bounds, and nothing is guessed', async () => {
    mkdirSync(join(tmux.folder, 'config/rollcall'), { recursive: true });
    writeFileSync(join(tmux.folder, 'config/rollcall/config.json'), '{"idleAfter":"3 parsecs"}');
    const { exitCode, stderr } = await here();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('idleAfter');
    expect(stderr).toContain('config.json');
  });

  test('without tmux on PATH it says what to install', async () => {
    const bin = join(tmux.folder, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    const { exitCode, stdout, stderr } = await rollcall([], { ...env, PATH: bin });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('tmux is not installed');
    expect(stderr).toContain('apt-get install tmux');
  });

  test('a state folder that cannot be used is a problem, not a failure, and nothing may be closed', async () => {
    await tmux.session('here');
    await tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
    await tmux.session('done', 'true');
    await tmux.exitStatus('done');
    const done = async (over: NodeJS.ProcessEnv = {}) => {
      const ran = await rollcallInside(['--json', '--server', tmux.socketPath], { ...env, ...over });
      expect(ran.exitCode).toBe(0);
      const { problems, sessions } = v.parse(rollDocumentSchema, JSON.parse(ran.stdout));
      expect(sessions).toHaveLength(2);
      const { lifecycle } = sessions.find(({ name }) => name === 'done') ?? {};
      return { lifecycle, problems: problems.map(({ code }) => code) };
    };
    await until('it may be closed', async () => (await done()).lifecycle === 'safe-to-close');
    writeFileSync(join(tmux.folder, 'blocked'), '');
    // A hold behind it could not be seen.
    expect(await done({ XDG_STATE_HOME: join(tmux.folder, 'blocked') })).toEqual({
      lifecycle: 'unknown',
      problems: ['declared-unreadable', 'memory-unavailable'],
    });
  });
});

describe('output', () => {
  test('into a reader that quits it ends quietly', async () => {
    await tmux.session('here');
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', `${ROLLCALL} --json | head -c 1`], {
      env,
    });
    expect([stdout, stderr]).toEqual(['{', '']);
  });

  test('S54: nothing that a title, name or screen holds reaches the terminal raw', async () => {
    await tmux.session(
      'evil',
      'sh',
      '-c',
      "printf '\\033]2;\\342\\200\\256gnp.exe\\007 hello \\033]52;c;AAAA\\007'; sleep 1000",
    );
    for (const argv of [[], ['explain', 'evil'], ['--json'], ['explain', 'evil', '--json']]) {
      const { stdout } = await here(...argv);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
  });

  test('in a terminal of 60 columns no line wraps', async () => {
    const desk = new PrivateTmux('desk');
    try {
      await tmux.session('a-session-with-a-rather-long-name-that-does-not-fit');
      await tmux.session('short');
      const argv = `${ROLLCALL} --server ${tmux.socketPath}; echo done-$?; exec sleep 1000`;
      await desk.tmux(
        'new-session',
        '-d',
        '-x',
        '60',
        '-y',
        '30',
        '-s',
        'narrow',
        `XDG_STATE_HOME=${env.XDG_STATE_HOME} ${argv}`,
      );
      const screen = await until(
        'it has printed',
        () => desk.tmux('capture-pane', '-p', '-t', '=narrow:'),
        (text) => text.includes('done-0'),
      );
      const rows = screen.split('\n').filter((line) => line.includes('active'));
      expect(rows).toHaveLength(2);
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(60);
    } finally {
      desk.stop();
    }
  });
});

describe('rollcall demo', () => {
  test('plays every state on a server of its own and leaves nothing behind', async () => {
    const temporary = join(tmux.folder, 'tmp');
    mkdirSync(temporary);
    const { exitCode, stdout } = await rollcall(['demo', '--json'], { ...env, TMPDIR: temporary });
    expect(exitCode).toBe(0);
    const document = v.parse(rollDocumentSchema, JSON.parse(stdout));
    const verdicts = Object.fromEntries(
      document.sessions.map((one) => [one.name, `${one.activity}/${one.lifecycle}`]),
    );
    expect(verdicts).toEqual({
      'api-tests': 'working/active',
      'auth-worker': 'exited/safe-to-close',
      'billing-agent': 'working/active',
      'cache-worker': 'exited/stale',
      'checkout-agent': 'waiting/active',
      'design-agent': 'waiting/active',
      'import-agent': 'working/active',
      mystery: 'unknown/unknown',
      'nightly-import': 'exited/stale',
      notes: 'none/active',
      'release-notes': 'exited/safe-to-close',
      'search-agent': 'idle/active',
    });
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(dirname(tmux.socketPath))).toEqual([]);
    const marks = () =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(temporary));
    expect(await until('its programs are gone', marks, (lines) => lines.length === 0)).toEqual([]);
  });

  test('is kept on request, refuses a name in use, and is ended by its own mark only', async () => {
    const demo = (...argv: string[]) => rollcall(['demo', '--server', 'stage', ...argv], env);
    expect((await demo('--keep')).stdout).toContain('demo --stop');
    expect((await demo('--keep')).exitCode).toBe(3);
    expect((await rollcall(['explain', 'stage:auth-worker'], env)).exitCode).toBe(0);
    expect((await demo('--stop')).exitCode).toBe(0);
    const own = new PrivateTmux('stage', tmux.folder);
    await own.session('mine');
    expect((await demo('--stop')).exitCode).toBe(4);
    expect(await own.tmux('list-sessions', '-F', '#{session_name}')).toBe('mine');
    await own.killServer();
  });

  test('S45: ends no session and no pane that somebody added to it', async () => {
    const demo = (...argv: string[]) => rollcall(['demo', '--server', 'added', ...argv], env);
    await demo('--keep');
    const there = new PrivateTmux('added', tmux.folder);
    const mine = await there.session('mine');
    const split = ['split-window', '-d', '-t', '=notes:', '-P', '-F', '#{pane_id}', 'sleep 1000'];
    const pane = await there.tmux(...split);
    const { exitCode, stderr } = await demo('--stop');
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('mine, notes')]);
    expect(await there.tmux('list-panes', '-a', '-F', '#{pane_id}')).toContain(mine.paneId);
    expect(await there.tmux('list-panes', '-a', '-F', '#{pane_id}')).toContain(pane);
    await there.tmux('kill-pane', '-t', pane);
    await there.tmux('kill-session', '-t', mine.sessionId);
    expect((await demo('--stop')).exitCode).toBe(0);
  });

  test('S32: does not take a server that gives no answer for an absent one', async () => {
    const there = new PrivateTmux('silent', tmux.folder);
    await there.session('mine');
    process.kill(there.serverPid, 'SIGSTOP');
    try {
      expect((await rollcall(['demo', '--server', 'silent'], env)).exitCode).toBe(3);
    } finally {
      process.kill(there.serverPid, 'SIGCONT');
    }
    expect(await there.tmux('list-sessions', '-F', '#{session_name}')).toBe('mine');
    await there.killServer();
  });
});
