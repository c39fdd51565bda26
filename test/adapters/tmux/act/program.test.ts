import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionWish } from '../../../../src/ports/actuator.ts';
import { until } from '../../../support/until.ts';
import { read } from './act-room.ts';
import { openStartRoom, STAMP } from './start-room.ts';

const room = openStartRoom();

/** What a program started so saw: its arguments and its variables. */
async function seen(changes: Partial<SessionWish>): Promise<{ argv: string[]; env: string[] }> {
  const { pid } = await room.started(changes);
  const list = (name: string): string[] => (read(`/proc/${pid}/${name}`) ?? '').split('\0').slice(0, -1);
  return until(
    'it is the program',
    () => ({ comm: read(`/proc/${pid}/comm`) ?? '', argv: list('cmdline'), env: list('environ') }),
    // In the middle of an exec the name is new already, and the rest still empty.
    ({ comm, argv, env }) => !/^(tmux|env|nice)/.test(comm) && argv.length > 0 && env.length > 0,
  );
}

describe('the program', () => {
  it('gets its arguments as they are, without a shell', async () => {
    const argv = ['sleep', '1000', '--'].slice(0, 2);
    const script = 'exec sleep 1000 # "$@"';
    const odd = [
      'sh',
      '-c',
      script,
      ';',
      'a;',
      '\\;',
      '#(id)',
      '#{pid}',
      '$HOME',
      '*',
      '',
      ' ',
      'é',
      "it's",
      '-x',
      '{',
    ];
    expect((await seen({ argv })).argv).toEqual(argv);
    const file = join(room.tmux.folder, 'arguments');
    const keep = `for each in "$@"; do printf '%s\\0' "$each"; done > ${file}; exec sleep 1000`;
    await room.started({ name: 'odd', argv: ['sh', '-c', keep, ...odd.slice(2)] });
    const kept = await until(
      'they are kept',
      () => read(file) ?? '',
      (text) => text.split('\0').length === odd.length - 2,
    );
    expect(kept.split('\0').slice(0, -1)).toEqual(odd.slice(3));
  });

  it('S55: gets its variables, and none of those it must not have, wherever they come from', async () => {
    await room.tmux.session('other', 'sleep', '1000');
    await room.tmux.tmux('set-environment', '-g', 'CLAUDECODE', '1');
    const env = {
      EMPTY: '',
      ODD: 'a b;\'"#(id)=',
      'not-a-name': 'x',
      LEAKED: 'by env',
      ROLLCALL_RUN: 'forged',
    };
    const variables = (await seen({ env, withoutEnv: ['CLAUDECODE', 'LEAKED', 'NEVER_SET'] })).env;
    expect(variables).toEqual(
      expect.arrayContaining(['EMPTY=', `ODD=${env.ODD}`, 'not-a-name=x', 'ROLLCALL_OWNER=somebody']),
    );
    expect(variables.filter((each) => each.startsWith('ROLLCALL_RUN='))).toEqual([
      'ROLLCALL_RUN=a1b2c3d4e5f6',
    ]);
    expect(variables.filter((each) => /^(CLAUDECODE|LEAKED|NEVER_SET)=/.test(each))).toEqual([]);
    expect(variables.some((each) => each.startsWith(`TMUX=${room.tmux.socketPath},`))).toBe(true);
  });

  it('gets the environment of its caller in place of that of the server', async () => {
    await room.tmux.session('other', 'sleep', '1000');
    const server = {
      STALE: 'of the server',
      SHARED: 'of the server',
      COLORTERM: 'truecolor',
      LINES2: 'a\nb=c',
    };
    for (const [name, value] of Object.entries(server)) {
      await room.tmux.tmux('set-environment', '-g', name, value);
    }
    const values = {
      SHARED: 'of the caller',
      GIVEN: 'of the caller',
      CLAUDECODE: '1',
      ODD: '\u001b\r\n\té#{pid}',
    };
    const { env } = await seen({
      ...{ caller: { values, leftToServer: ['COLORTERM'] }, env: { GIVEN: 'on purpose' } },
      withoutEnv: ['CLAUDECODE'],
    });
    expect(env).toEqual(
      expect.arrayContaining([
        ...['SHARED=of the caller', 'GIVEN=on purpose', 'COLORTERM=truecolor', `ODD=${values.ODD}`],
      ]),
    );
    expect(env.filter((each) => /^(STALE|CLAUDECODE|LINES2|HOME|LC_ALL)=/.test(each))).toEqual([]);
    expect(env.some((each) => each.startsWith('PATH='))).toBe(true);
  });

  it('may have a caller with many and long variables, of which none stands in an argument', async () => {
    const long = 'a=;\n'.repeat(25_000);
    const many = Array.from({ length: 200 }, (_, index) => [`MANY_${index}`, `value ${index}\nof many`]);
    const values = {
      ...Object.fromEntries(many),
      LONG: long,
      'not-a-name': 'x',
      'BASH_FUNC_f%%': '() {  :\n}',
    };
    const { argv, env } = await seen({ caller: { values, leftToServer: [] } });
    expect(env).toEqual(
      expect.arrayContaining(Object.entries(values).map(([name, value]) => `${name}=${value}`)),
    );
    expect(argv).toEqual(['sleep', '1000']);
    const start = await room.ask('=worker:', '#{pane_start_command}');
    expect(start).not.toMatch(/MANY_|LONG|not-a-name|BASH_FUNC/);
  });

  it.each(['a=b', '-x', '=', '-', '--'])('may be named %s', async (name) => {
    const folder = join(room.tmux.folder, 'bin');
    mkdirSync(folder);
    symlinkSync(execFileSync('which', ['sleep'], { encoding: 'utf8' }).trim(), join(folder, name));
    const { argv, env } = await seen({
      argv: [name, '1000'],
      env: { PATH: `${folder}:${process.env.PATH}` },
    });
    expect(argv).toEqual([name, '1000']);
    expect(env).toContain('ROLLCALL_OWNER=somebody');
    expect(env.filter((each) => each.startsWith(`${name}=`) || each.startsWith('a='))).toEqual([]);
  });

  it('that cannot be executed is started, and shows its end when it is kept', async () => {
    const { paneId } = await room.started({ argv: ['/does/not/exist'], remain: true });
    const dead = await until(
      'it has ended',
      async () => {
        await room.tmux.tmux('run-shell', '-b', 'true');
        return room.ask(paneId, '#{pane_dead} #{pane_dead_status}');
      },
      (answer) => answer.startsWith('1'),
    );
    expect(dead).toBe('1 127');
  });

  it('is refused where there is none, or where something cannot be said', async () => {
    const refusals: Partial<SessionWish>[] = [
      { argv: [] },
      { argv: [''] },
      { argv: ['sleep', 'a\0b'] },
      { env: { '': 'x' } },
      { env: { 'A=B': 'x' } },
      { caller: { values: { 'A=B': 'x' }, leftToServer: [] } },
      { caller: { values: { A: 'a\0b' }, leftToServer: [] } },
      { withoutEnv: ['A=B'] },
      { stamp: { ...STAMP, run: 'not a word' } },
      { name: '' },
      { name: 'a\0b' },
    ];
    for (const refused of refusals) {
      const answer = await room.actuator.startSession(room.tmux.socketPath, room.wish(refused));
      expect(answer, JSON.stringify(refused)).toMatchObject({
        state: 'failed',
        text: expect.stringMatching(/./),
      });
    }
    expect(existsSync(room.tmux.socketPath)).toBe(false);
  });

  it('may have arguments that are longer than what a tmux client takes', async () => {
    const argv = ['sh', '-c', 'exec sleep 1000', 'x'.repeat(100_000)];
    await room.started({ argv });
  });
});

describe('its folder', () => {
  it('S55: may have any name', async () => {
    const cwd = join(room.tmux.folder, '#(touch hacked) #{pid} #[x] ##[ a;\'"$HOME é;');
    mkdirSync(cwd);
    const { pid, paneId } = await room.started({ cwd });
    expect(await room.ask(paneId, '#{pane_start_path}')).toBe(cwd);
    await until(
      'it is there',
      () => readlinkSync(`/proc/${pid}/cwd`),
      (path) => path === cwd,
    );
    expect(existsSync(join(room.tmux.folder, 'hacked'))).toBe(false);
  });

  it('is never silently another one', async () => {
    const file = join(room.tmux.folder, 'file');
    writeFileSync(file, '');
    for (const [cwd, text] of [
      [join(room.tmux.folder, 'missing'), 'no such folder'],
      [file, 'not a folder'],
      ['relative', 'not an absolute path'],
    ] as const) {
      const answer = await room.actuator.startSession(room.tmux.socketPath, room.wish({ cwd }));
      expect(answer).toEqual({ state: 'failed', text: expect.stringContaining(text) });
    }
    expect(existsSync(room.tmux.socketPath)).toBe(false);
  });
});
