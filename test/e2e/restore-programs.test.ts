import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { worktreeIn } from '../support/trees.ts';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

/** A room with programs that write down each of their starts. */
class ProgramRoom extends RestoreRoom {
  readonly log = join(this.tmux.folder, 'log');

  constructor() {
    super();
    writeFileSync(this.log, '');
    this.env.PATH = `${join(this.tmux.folder, 'bin')}:${this.env.PATH}`;
  }

  /** Makes a program of that name that starts no other; `ignores`: the end of its terminal. */
  program(name: string, ignores = false): string {
    const path = join(this.tmux.folder, 'bin', name);
    const lines = [
      '#!/usr/bin/perl',
      ...(ignores ? ["$SIG{HUP} = 'IGNORE';"] : []),
      `open(my $log, '>>', '${this.log}'); print $log "$$ ${name} @ARGV\\n"; close($log);`,
      'sleep 1000 while 1;',
    ];
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 });
    return path;
  }

  /** A window that runs a program by its name: tmux looks for it in the PATH of whoever asks. */
  window(...argv: string[]): void {
    const words = ['-S', this.tmux.socketPath, 'new-window', '-d', '-t', '=one:', ...argv];
    execFileSync('tmux', words, { env: this.env });
  }

  /** The pids of all starts of a program so far. */
  begun(name: string): number[] {
    return readFileSync(this.log, 'utf8')
      .split('\n')
      .filter((line) => line.split(' ')[1] === name)
      .map((line) => Number(line.split(' ')[0]));
  }

  async started(name: string, count = 1): Promise<number> {
    const pids = await until(
      `${name} was started`,
      () => this.begun(name),
      ({ length }) => length >= count,
    );
    return pids.at(-1) as number;
  }

  async end(pid: number): Promise<void> {
    process.kill(pid, 'SIGKILL');
    await until('it has ended', () => !isAlive(pid));
  }

  override leave(): void {
    const pids = readFileSync(this.log, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : Number(line.split(' ')[0])));
    for (const pid of pids.filter((one) => isAlive(one) && commandOf(one).includes(this.tmux.folder)))
      process.kill(pid, 'SIGKILL');
    super.leave();
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

const test = base.extend<{ room: ProgramRoom }>({
  room: async ({ task: _ }, use) => {
    const room = new ProgramRoom();
    await use(room);
    room.leave();
  },
});

describe.concurrent('S63: programs without an agent, after a crash of the tmux server', () => {
  test('one that outlived its server is not started a second time', async ({ room }) => {
    const migrate = room.program('migrate', true);
    room.program('tail', true);
    await room.done(
      'run',
      '--name',
      'own',
      ...room.server,
      '--cwd',
      room.tmux.folder,
      '--',
      migrate,
      'hunter',
    );
    const id = await room.agent('one');
    room.window('tail', '-f', 'x');
    const [own, side] = [await room.started('migrate'), await room.started('tail')];
    await room.seen('one');
    await room.seen('own');
    await room.crash();

    const { exitCode, sessions } = await room.restoreAsUser('--yes', '--programs');
    expect([exitCode, Object.fromEntries(sessions.map(({ name, ...one }) => [name, one]))]).toMatchObject([
      1,
      {
        own: { result: 'failed', text: `migrate still runs at it: pid ${own}` },
        one: { result: 'restored', conversation: id, windows: 2, panes: 2 },
      },
    ]);
    expect(sessions.find(({ name }) => name === 'one')?.missing).toEqual([
      'the first prompt that it was started with is not sent again',
      expect.stringMatching(
        new RegExp(`^pane %\\d+: nothing is started in it, because it still runs: tail \\(pid ${side}\\)$`),
      ),
    ]);
    expect((await room.cli('reopen', room.at('own'))).stderr).toContain(`pid ${own}`);
    expect([room.begun('migrate'), room.begun('tail')]).toEqual([[own], [side]]);

    await room.end(own);
    expect((await room.restore('--yes', '--programs')).sessions).toMatchObject([
      { name: 'own', result: 'restored' },
    ]);
    await room.started('migrate', 2);
  });

  test('is started again only where that is asked for, and a shell comes in its place', async ({ room }) => {
    const serve = room.program('serve');
    await room.done('run', '--name', 'own', ...room.server, '--cwd', room.tmux.folder, '--', serve, 'hunter');
    await room.started('serve');
    await room.crash();
    const [planned] = (await room.restore('--dry-run')).sessions;
    expect(planned?.missing).toEqual([expect.stringMatching(/^serve is not started again, .*--programs/)]);
    expect(await room.restore('--yes')).toMatchObject({ sessions: [{ result: 'restored' }] });
    await until(
      'its shell is there',
      () => room.tmux.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_current_command}'),
      (panes) => panes === 'own sh',
    );
    expect(room.begun('serve')).toHaveLength(1);
  });

  test('nor one that is known by its marks alone', async ({ room }) => {
    const migrate = room.program('migrate', true);
    const flags = [...room.server, '--cwd', room.tmux.folder];
    await room.done('run', '--name', 'own', ...flags, '--', 'env', '-u', 'TMUX', migrate);
    await room.done('run', '--name', 'two', ...flags, '--', 'env', '-u', 'ROLLCALL_RUN', migrate);
    await room.started('migrate', 2);
    await room.crash();
    rmSync(join(room.state, 'rollcall', 'layouts'), { recursive: true, force: true });
    const { sessions } = await room.restore('--yes', '--programs');
    expect(sessions.map(({ name, result }) => `${name} ${result}`).sort()).toEqual([
      'own failed',
      'two failed',
    ]);
    expect(room.begun('migrate')).toHaveLength(2);
  });

  test('an agent without a screen is not started by its words, since that sends its prompt again', async ({
    room,
  }) => {
    const codex = room.program('codex');
    await room.tmux.session('stays');
    await room.done(
      ...['run', '--name', 'once', ...room.server, '--cwd', room.tmux.folder],
      ...['--', codex, 'exec', 'fix it'],
    );
    const pid = await room.started('codex');
    await room.tmux.tmux('kill-session', '-t', '=once');
    await until('it has ended', () => !isAlive(pid));
    rmSync(join(room.state, 'rollcall', 'layouts'), { recursive: true, force: true });
    const told = new RegExp(`codex may have run .* by hand: rollcall run -- ${codex} exec fix it`);
    expect((await room.cli('reopen', room.at('once'))).stderr).toMatch(told);
    const { sessions } = await room.restore('once', '--yes', '--programs', ...room.server);
    expect(sessions).toMatchObject([{ result: 'failed', text: expect.stringMatching(told) }]);
    expect([room.begun('codex'), await room.names()]).toEqual([[pid], ['stays']]);
  });

  test('an agent behind a script that may do work of its own is named, and started by --programs', async ({
    room,
  }) => {
    const prepare = join(room.tmux.folder, 'bin', 'prepare');
    const lines = ['#!/bin/sh', `echo "$$ prepare" >> '${room.log}'`, '[ "$1" = -- ] && shift', 'exec "$@"'];
    writeFileSync(prepare, `${lines.join('\n')}\n`, { mode: 0o755 });
    const ids = [crypto.randomUUID(), crypto.randomUUID()] as const;
    const start = (name: string, id: string, ...before: string[]) =>
      room.done(
        ...['run', '--name', name, ...room.server, '--cwd', room.tmux.folder],
        ...['--', ...before, '--', room.claude, '--session-id', id, '--model', 'sonnet', 'fix it'],
      );
    await start('one', ids[0], 'stdbuf', '-oL', prepare);
    await start('two', ids[1], 'nice', '-n', '5');
    await until('both have spoken', () => ids.every((id) => room.spoken(id)));
    await room.seen('one');
    await room.seen('two');
    await room.crash();
    const { sessions } = await room.restore('--dry-run');
    const told = (name: string) => sessions.find((one) => one.name === name)?.missing;
    const left = `claude (conversation ${ids[0]}) is not started again, because prepare may do work before it; --programs starts both`;
    expect([told('one')?.includes(left), told('two')?.join().includes('before it')]).toEqual([true, false]);
    await room.restore('--yes', room.at('two'));
    await until('the other one runs', () => room.resumed().length === 1);
    const before = getPriority();
    expect(room.running().map(({ pid }) => getPriority(pid) - before)).toEqual([5]);
    expect([room.resumed(), room.begun('prepare').length]).toEqual([[ids[1]], 1]);
    await room.restore('--yes', '--programs');
    await until('both run', () => room.resumed().length === 2);
    expect([room.resumed(), room.begun('prepare').length]).toEqual([[...ids].sort(), 2]);
  });

  test('nor one that outlived a close, when its session is reopened', async ({ room }) => {
    const serve = room.program('serve');
    await room.tmux.session('stays');
    await room.done('run', '--name', 'own', ...room.server, '--cwd', room.tmux.folder, '--', serve);
    await room.started('serve');
    const place = await room.tmux.tmux('display-message', '-p', '-t', '=own:', '#{pid} #{pane_id}');
    const [server, paneId] = place.trim().split(' ') as [string, string];
    await room.done('close', room.at('own'), '--force');
    // A hook of it that began on its way out.
    const env = { ...room.env, TMUX: `${room.tmux.socketPath},${server},1`, TMUX_PANE: paneId };
    const left = spawn(serve, ['late'], { env, stdio: 'ignore', detached: true });
    await room.started('serve', 2);
    expect(await room.cli('reopen', 'own', ...room.server)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`serve still runs at it: pid ${left.pid}`),
    });
    await room.end(left.pid as number);
    await room.done('reopen', 'own', ...room.server);
    await room.started('serve', 3);
  });

  test('what may have ended since it was last seen is not run again, but for what shows or edits', async ({
    room,
  }) => {
    const [deploy, view, serve] = ['deploy', 'view', 'serve', 'less'].map((name) => room.program(name)) as [
      string,
      string,
      string,
    ];
    const id = await room.agent('one');
    await room.tmux.tmux('split-window', '-d', '-t', '=one:', deploy, 'one');
    room.window('less', 'log');
    await room.tmux.tmux('new-window', '-d', '-t', '=one:', view, 'staging');
    await room.done('run', '--name', 'own', ...room.server, '--cwd', room.tmux.folder, '--', serve);
    for (const name of ['deploy', 'view', 'less', 'serve']) await room.started(name);
    await room.seen('one');
    await room.seen('own');
    // Nobody looks any more, and it is done.
    await room.end(await room.started('deploy'));
    await room.crash();

    const { sessions } = await room.restore('--yes', '--asleep', '--programs');
    expect(sessions.map(({ result }) => result)).toEqual(['restored', 'restored']);
    const told = (name: string) =>
      expect.stringMatching(` it may have ended after it was last seen, and is not run again: ${name}$`);
    const one = sessions.find(({ name }) => name === 'one');
    expect(one).toMatchObject({ panes: 4, windows: 3, conversation: id });
    expect(one?.missing).toEqual(expect.arrayContaining([told('deploy'), told('view')]));
    await room.started('less', 2);
    await room.started('serve', 2);

    // What it wakes from has the same of it, whoever makes it again.
    rmSync(join(room.state, 'rollcall', 'layouts'), { recursive: true, force: true });
    await room.crash();
    await room.restore('--yes', '--programs');
    await until('it runs', () => room.resumed().length === 1);
    await room.started('less', 3);
    expect([room.begun('deploy'), room.begun('view')].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('no argument of what panes ran is told or recorded', async ({ room }) => {
    const serve = room.program('serve');
    room.program('less');
    await room.agent('one');
    await room.tmux.tmux('new-window', '-d', '-t', '=one:', serve, '--pw', 'hunter-1');
    await room.tmux.tmux('new-window', '-d', '-t', '=one:', `true hunter-2; ${serve} --pw hunter-3`);
    room.window('less', 'hunter-4');
    await room.tmux.tmux('new-window', '-d', '-n', 'typed', '-t', '=one:');
    await room.tmux.tmux('send-keys', '-t', '=one:typed', `${serve} --pw hunter-5`, 'Enter');
    await room.started('serve', 3);
    await room.started('less');
    await room.seen('one');
    await room.crash();
    const { stdout } = await room.cli('restore', '--yes');
    expect(stdout).toMatch(/not run again: serve\n/);
    await room.started('less', 2);
    expect([stdout, await room.done('log', '--json')].join()).not.toContain('hunter-');
    const state = join(room.state, 'rollcall');
    const ledger = readdirSync(state).filter((name) => name.startsWith('ledger.db'));
    expect(ledger).not.toEqual([]);
    for (const name of ledger) expect(readFileSync(join(state, name)).includes('hunter-')).toBe(false);
  });

  test('a pane whose folder is gone opens in that of the session, and only the own one is needed', async ({
    room,
  }) => {
    const side = join(room.tmux.folder, 'side');
    mkdirSync(side);
    const { worktree } = worktreeIn(room.tmux.folder);
    room.program('less');
    const id = await room.agent('one');
    room.window('-c', side, 'less', 'x');
    await room.agent('two', '--cwd', worktree);
    await room.started('less');
    await room.seen('one');
    await room.seen('two');
    await room.crash();
    rmSync(side, { recursive: true });
    rmSync(worktree, { recursive: true });

    const { exitCode, sessions } = await room.restore('--yes', '--programs');
    expect(exitCode).toBe(1);
    const [one, two] = ['one', 'two'].map((name) => sessions.find((session) => session.name === name));
    expect(one).toMatchObject({ result: 'restored', conversation: id, windows: 2 });
    const told = `its folder is gone (${side}), so it opens in ${room.tmux.folder}, without its command: less`;
    expect(one?.missing).toEqual(expect.arrayContaining([expect.stringContaining(told)]));
    // A program that was just started is in its folder a moment later.
    await until(
      'all are in the folder of the session',
      () => room.tmux.tmux('list-panes', '-s', '-t', '=one', '-F', '#{pane_current_path}'),
      (folders) => folders.split('\n').every((folder) => folder === room.tmux.folder),
    );
    expect(two).toMatchObject({
      ...{ result: 'failed', text: `its folder is gone: ${worktree}` },
      hint: expect.stringContaining('git worktree add'),
    });
    expect((await room.cli('restore', '--yes')).stdout).toContain(`its folder is gone: ${worktree}`);
  });
});
