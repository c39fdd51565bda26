import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { test as base, describe, expect } from 'vitest';
import { closeDocumentSchema, reopenDocumentSchema } from '../../src/contract/close-schemas.ts';
import { run as runCli } from '../cli/fake-outside.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { ClosingRoom, SHELL } from '../engine/act/closing-room.ts';
import { digestsOf, worktreeIn } from '../support/trees.ts';
import { until } from '../support/until.ts';
import { ClaudeProgram } from './claude-program.ts';

/** No form of a secret that anything would know. */
const VALUE = 'swordfish-of-monday';

/** The command with real hands, in a room with a HOME and a Claude Code of its own. */
class Returns extends ClosingRoom {
  readonly claude = new ClaudeProgram(this);

  async cli(...argv: string[]) {
    const made = await runCli(argv, {
      hands: () => this.hands(),
      env: { HOME: this.claude.home, SHELL: '/bin/sh' },
      now: Date.now,
    });
    return made;
  }

  /** A command that has to succeed. */
  async done(...argv: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.cli(...argv);
    if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Starts the agent with `rollcall run`. */
  async start(argv: readonly string[], flags: readonly string[] = [], cwd = this.tmux.folder) {
    const server = ['--server', this.tmux.socketPath];
    await this.done(
      'run',
      '--name',
      'worker',
      ...server,
      '--cwd',
      cwd,
      ...flags,
      '--',
      this.claude.path,
      ...argv,
    );
    return this.claude.started();
  }

  /** Closes it whatever it does, and gives its receipt and archive. */
  async closed() {
    const stdout = await this.done('close', 'worker', '--force', '--json');
    const [one] = v.parse(closeDocumentSchema, JSON.parse(stdout)).sessions;
    return { receipt: one?.receipt?.receipt ?? '', archive: one?.receipt?.archive ?? '', stdout };
  }

  async reopened(word = 'worker') {
    const stdout = await this.done('reopen', word, '--json');
    return v.parse(reopenDocumentSchema, JSON.parse(stdout));
  }

  /** Every pane of it: its place, folder and command. */
  panes(
    format = '#{window_index}.#{pane_index} #{window_name} #{pane_current_path} #{pane_width}x#{pane_height}',
  ) {
    return this.tmux.tmux('list-panes', '-s', '-t', '=worker', '-F', format);
  }
}

const test = base.extend<{ room: Returns }>({
  room: async ({ task: _ }, use) => {
    const room = new Returns();
    await room.tmux.session('stays');
    await use(room);
    room.leave();
  },
});

const idIn = (argv: string) => / --(?:session-id|resume) (\S+)/.exec(argv)?.[1] ?? '';

function holding(folder: string, text: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(text);
  });
}

function shownInProcesses(text: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return /^\d+$/.test(pid) && Number(pid) !== process.pid && line.includes(text) ? [line] : [];
    } catch {
      return [];
    }
  });
}

describe.concurrent('endings 5: a session comes back whole', () => {
  test('the same program by its path, with its options and variables, in its folder, on its server', async ({
    room,
  }) => {
    const { worktree } = worktreeIn(room.tmux.folder);
    const tree = digestsOf(room.tmux.folder);
    const words = ['--permission-mode', 'acceptEdits', '--model', 'sonnet', '--unheard', '--', 'fix it'];
    const first = await room.start(words, ['--env', `TOKEN=${VALUE}`, '--task', 'T-1'], worktree);
    const id = idIn(first.argv);
    expect(first).toMatchObject({ TOKEN: VALUE, CALLER: 'first', cwd: worktree });
    const { receipt, archive, stdout: closing } = await room.closed();
    // The value lies in one private file, and nowhere else.
    const state = join(room.state, 'rollcall');
    expect(holding(room.state, VALUE).map((name) => name.replace(/r\w{12}/, 'RECEIPT'))).toEqual([
      'rollcall/archive/RECEIPT/variables.json',
    ]);
    expect(statSync(join(archive, 'variables.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(state, 'starts'))).toEqual([]);

    Object.assign(room.env, { CALLER: 'second' });
    const told = await room.done('reopen', receipt);
    const again = await room.claude.started(first);
    expect(again).toMatchObject({
      argv: `${room.claude.path} --resume ${id} --permission-mode acceptEdits --model sonnet`,
      ...{ TOKEN: VALUE, CALLER: 'second', cwd: worktree },
    });
    expect(told.split('\n')).toEqual([
      `worker: reopened on acts in ${worktree}, from receipt ${receipt}`,
      `  started: ${again.argv}`,
      '  with its variables TOKEN',
      '  --unheard is left out: what it does is not known here',
      '  the first prompt that it was started with is not sent again',
      '',
    ]);
    // And once more, from what the reopen started.
    await room.closed();
    const document = await room.reopened();
    expect(document).toMatchObject({
      ...{ name: 'worker', conversation: id, cwd: worktree, env: ['TOKEN'], missing: [] },
      ...{ argv: again.argv.split(' '), server: { socketPath: room.tmux.socketPath } },
    });
    expect(await room.claude.started(again)).toMatchObject({ argv: again.argv, TOKEN: VALUE });
    const hands = await room.hands();
    // Of these rolls the history is made, and what the daemon and the listings show.
    const roll = await hands.look({ inspect: (sessions) => sessions, isWithClosed: true });
    const records = JSON.stringify([document, entriesOf(hands), roll]);
    const shown = [closing, told, records, ...shownInProcesses(VALUE)];
    expect(shown.filter((text) => text.includes(VALUE))).toEqual([]);
    // What git has, and what it does not, is byte for byte as it was.
    const now = digestsOf(room.tmux.folder);
    const [before, after] = [tree, now].map((all) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => /^(?:main|topic)\//.test(name))),
    );
    expect(after).toEqual(before);
    expect(Object.keys(before ?? {})).toContain('topic/untracked');
  });

  test('windows and panes at their places, with what they ran of their own', async ({ room }) => {
    const side = join(room.tmux.folder, 'side');
    mkdirSync(side);
    const first = await room.start([]);
    const on = (...argv: string[]) => room.tmux.tmux(...argv);
    await on(
      'split-window',
      '-d',
      '-b',
      '-h',
      '-l',
      '30',
      '-t',
      '=worker:0',
      '-c',
      side,
      'sleep 1001 >/dev/null',
    );
    await on('split-window', '-d', '-t', '=worker:0.1', `true; ${SHELL}`);
    await on('new-window', '-d', '-t', '=worker:4', '-n', 'build', '-c', side, 'sleep', '1002');
    const before = await until(
      'all are in their folders',
      () => room.panes(),
      (all) => all.split(side).length === 3,
    );
    const commands = await room.panes('#{pane_start_command}');
    await until(
      'the shell is left',
      () => room.panes('#{pane_current_command}'),
      (all) => all.includes('bash'),
    );
    await room.closed();
    const { missing, commands: again, panes } = await room.reopened();
    expect(missing).toEqual([
      expect.stringMatching(/^pane %\d+: it had ended, or a part of it, and is not run again: true$/),
    ]);
    expect([again, panes]).toEqual([[['sleep 1001 >/dev/null'], ['sleep', '1002']], 4]);
    await room.claude.started(first);
    await until(
      'all are where they were',
      () => room.panes(),
      (all) => all === before,
    );
    const rows = (await room.panes('#{pane_start_command}')).split('\n');
    expect([rows[0], rows[2], rows[3]]).toEqual([commands.split('\n')[0], '', 'sleep 1002']);
    expect(rows[1]).toContain(room.claude.path);
  });

  test('S64: a resume that fails takes nothing with it, at once or later', async ({ room }) => {
    const first = await room.start(['--model', 'opus']);
    const transcript = room.claude.transcript(idIn(first.argv));
    const { receipt } = await room.closed();
    // Without its copy, which would come back.
    rmSync(join(room.state, 'rollcall', 'conversations'), { recursive: true });
    renameSync(transcript, `${transcript}.away`);
    // On a busy machine it has not failed yet when it is looked at; then it is there for a while, as below.
    const failed = await room.cli('reopen', receipt);
    if (failed.exitCode !== 0) {
      expect(failed).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('its program ended at once'),
      });
      expect(failed.stderr).toContain('its receipt stays');
    }
    const isGone = () =>
      until(
        'it has failed',
        () => room.names(),
        (names) => !names.includes('worker'),
      );
    await isGone();
    // One that fails later is there for a while.
    room.claude.set('slow', true);
    expect((await room.cli('reopen', 'worker')).exitCode).toBe(0);
    room.claude.set('fail', true);
    await isGone();
    room.claude.set('slow', false);
    renameSync(`${transcript}.away`, transcript);
    expect(await room.reopened('worker')).toMatchObject({ receipt, conversation: idIn(first.argv) });
    expect((await room.claude.started(first)).argv).toBe(
      `${room.claude.path} --resume ${idIn(first.argv)} --model opus`,
    );
  });

  test('S63: a folder that is gone is named, with the line that makes it again', async ({ room }) => {
    const { main, worktree } = worktreeIn(room.tmux.folder);
    await room.start([], [], worktree);
    const { receipt } = await room.closed();
    rmSync(worktree, { recursive: true });
    const { exitCode, stderr } = await room.cli('reopen', receipt);
    const line = `git -C ${main} worktree add ${worktree} topic`;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(line)]);
    expect(stderr).toContain(`its folder is gone: ${worktree}`);
    execFileSync('sh', ['-c', line.replace(' add ', ' add -f ')], { stdio: 'ignore' });
    expect(await room.reopened(receipt)).toMatchObject({ cwd: worktree });
  });

  test('S63: a program that is gone is looked for by its name, and named', async ({ room }) => {
    const first = await room.start(['--ide']);
    const { receipt } = await room.closed();
    const elsewhere = join(room.tmux.folder, 'usr', 'bin', 'claude');
    mkdirSync(dirname(elsewhere), { recursive: true });
    renameSync(room.claude.path, elsewhere);
    const gone = await room.cli('reopen', receipt);
    expect([gone.exitCode, gone.stderr]).toEqual([
      1,
      expect.stringContaining(`its program is gone: ${room.claude.path}`),
    ]);
    Object.assign(room.env, { PATH: `${dirname(elsewhere)}:${room.env.PATH}` });
    expect((await room.reopened(receipt)).missing).toEqual([
      `${room.claude.path} is gone; ${elsewhere} was started instead`,
    ]);
    expect((await room.claude.started(first)).argv).toBe(`${elsewhere} --resume ${idIn(first.argv)} --ide`);
  });

  test('an agent that somebody else started, by its own command line', async ({ room }) => {
    const id = crypto.randomUUID();
    const path = `PATH=${dirname(room.claude.path)}:${room.env.PATH}`;
    const words = ['claude', '--session-id', id, '--model', 'haiku', 'fix it'];
    await room.tmux.session('worker', 'env', `HOME=${room.claude.home}`, path, ...words);
    const first = await room.claude.started();
    const { receipt } = await room.closed();
    expect((await room.reopened(receipt)).missing).toEqual([
      'the first prompt that it was started with is not sent again',
    ]);
    expect((await room.claude.started(first)).argv).toBe(`${room.claude.path} --resume ${id} --model haiku`);
  });

  test('a program that is no agent runs again, as it was run', async ({ room }) => {
    const server = ['--server', room.tmux.socketPath];
    const program = [
      'sh',
      '-c',
      'printf "%s\\n" "$TOKEN" "$CALLER" >> "$0"; sleep 1000; :',
      join(room.tmux.folder, 'said'),
    ];
    writeFileSync(program[3] ?? '', '');
    const flags = ['--clean-env', '--env', `TOKEN=${VALUE}`, '--cwd', room.tmux.folder];
    await room.done('run', '--name', 'worker', ...server, ...flags, '--', ...program);
    const said = (count: number) =>
      until(
        'it has said so',
        () => readFileSync(program[3] ?? '', 'utf8'),
        (text) => text.split('\n').length > count,
      );
    await said(2);
    const { receipt } = await room.closed();
    expect(await room.reopened(receipt)).toMatchObject({
      missing: [],
      env: ['TOKEN'],
      cwd: room.tmux.folder,
    });
    expect(await said(4)).toBe(`${VALUE}\n\n${VALUE}\n\n`);
  });

  test('what had done a part of its work does not do it again', async ({ room }) => {
    const [done, agent] = ['done', 'claude'].map((name) => join(room.tmux.folder, name)) as [string, string];
    writeFileSync(done, '');
    writeFileSync(agent, `#!/bin/sh\necho "$1" >> ${done}\n`, { mode: 0o755 });
    const program = ['sh', '-c', `${agent} rows; sleep 1000; :`];
    const flags = ['--server', room.tmux.socketPath, '--cwd', room.tmux.folder];
    await room.done('run', '--name', 'worker', ...flags, '--', ...program);
    const lines = [
      ['bash', '-c', `echo a >> ${done}; exec sleep 1000`, 'x'],
      ['env', 'K=1', 'bash', '-c', `echo b >> ${done}; exec sleep 1000`],
      ['timeout', '5000', 'sh', '-c', `echo c >> ${done}; sleep 1000`],
      ['bash', '-c', `time echo d >> ${done}; exec bash --norc`],
    ];
    for (const line of lines) await room.tmux.tmux('new-window', '-d', '-t', '=worker:', ...line);
    const told = () => readFileSync(done, 'utf8').trim().split('\n').sort();
    await until('all have begun', told, ({ length }) => length === 5);
    await room.closed();
    const { missing, commands, argv } = await room.reopened();
    const own = missing.filter((text) => text.includes(', and is not run again: '));
    expect(own.map((text) => text.replace(/^pane %\d+: /, ''))).toEqual([
      `it may start claude with its first prompt once more, and is not run again: sh`,
      ...lines.map((line) => `it had ended, or a part of it, and is not run again: ${line[0]}`),
    ]);
    expect([commands, argv]).toEqual([[], null]);
    expect(told()).toEqual(['a', 'b', 'c', 'd', 'rows']);
  });
});
