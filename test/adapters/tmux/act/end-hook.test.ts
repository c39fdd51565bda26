import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEndsFolder } from '../../../../src/adapters/ends/ends-folder.ts';
import { createTmuxActuator } from '../../../../src/adapters/tmux/act/tmux-actuator.ts';
import type { SessionWish } from '../../../../src/ports/actuator.ts';
import { until } from '../../../support/until.ts';
import { startTicksOf } from '../../proc/real-processes.ts';
import { UID } from '../look.ts';
import { openStartRoom, STAMP } from './start-room.ts';

const room = openStartRoom();
const tmuxPath = execFileSync('which', ['tmux'], { encoding: 'utf8' }).trim();
const RUN = STAMP.run;
let folder: string;

beforeEach(() => {
  // Nothing of this may mean anything to the shell or to tmux.
  folder = join(room.tmux.folder, `it's "mine" #{pid} $HOME #(touch oops) 100%`, 'ends');
  mkdirSync(folder, { recursive: true });
});

async function start(
  script: string,
  changes: Partial<SessionWish> = {},
  program = tmuxPath,
): Promise<number> {
  const { env } = room.tmux;
  const actuator = createTmuxActuator({
    env,
    uid: UID,
    ends: { folder, tmuxPath: program, programPath: '/nowhere' },
  });
  const wish = room.wish({ remain: true, argv: ['sh', '-c', script], ...changes });
  const answer = await actuator.startSession(room.tmux.socketPath, wish);
  if (answer.state !== 'started') throw new Error(`${answer.state}: ${answer.text}`);
  return answer.server.pid;
}

// Before 3.6 tmux may miss that a program has ended until another one does.
function wake(serverPid: number): void {
  try {
    process.kill(serverPid, 'SIGCHLD');
  } catch {
    // It has ended.
  }
}

const recorded = (serverPid: number) =>
  until('the end is written down', () => {
    wake(serverPid);
    return createEndsFolder(folder).of(RUN);
  });
const sessions = () => room.tmux.tmux('list-sessions', '-F', '#{session_name}').catch(() => '');

describe('S58: how a program ended is written down by tmux itself', () => {
  it.each([
    ['exit 0', { exitStatus: 0, exitSignal: null }],
    [
      'echo one; echo two; echo; sleep 0.3; exit 3',
      { exitStatus: 3, exitSignal: null, lines: ['one', 'two'] },
    ],
    ['kill -9 $$', { exitStatus: null, exitSignal: '9' }],
    ['printf "%s\\n" password=hunter2hunter2; sleep 0.3; exit 1', { exitStatus: 1, lines: ['password=***'] }],
  ])('%s, although nobody looks and its server ends with it', async (script, end) => {
    const serverPid = await start(script);
    expect(await recorded(serverPid)).toMatchObject({
      ...{ run: RUN, pid: expect.any(Number), sessions: new Map([['$0', 1]]), ...end },
    });
    await until('its server is gone', async () => (await sessions()) === '');
    expect(readdirSync(folder)).toEqual([RUN]);
    expect(statSync(join(folder, RUN)).mode & 0o777).toBe(0o600);
    expect(existsSync(join(room.tmux.folder, 'oops'))).toBe(false);
  });

  it('endings 9: with programs of the system, whatever the PATH of its session names', async () => {
    const [bin, witness] = [join(room.tmux.folder, 'bin'), join(room.tmux.folder, 'witness')];
    mkdirSync(bin);
    for (const name of ['mkdir', 'date', 'sync', 'mv', 'rm']) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >>${witness}\nexec /bin/${name} "$@"\n`, {
        mode: 0o755,
      });
    }
    const PATH = `bin:${bin}:${process.env.PATH}`;
    room.tmux.env.PATH = PATH;
    const caller = { values: { PATH }, leftToServer: [] };
    const serverPid = await start('exit 4', { caller });
    expect(await recorded(serverPid)).toMatchObject({ exitStatus: 4 });
    await until('its server is gone', async () => (await sessions()) === '');
    expect(existsSync(witness)).toBe(false);
  });

  it('keeps the last lines of much output', async () => {
    const serverPid = await start('i=0; while [ $i -lt 500 ]; do i=$((i+1)); echo "row $i"; done; sleep 0.2');
    const { lines } = (await recorded(serverPid)) ?? { lines: [] };
    expect(lines).toHaveLength(40);
    expect(lines.at(-1)).toBe('row 500');
  });

  it('keeps the pane for whoever wants it, and runs the hooks of the user', async () => {
    await room.tmux.session('other', 'sleep', '1000');
    const said = join(room.tmux.folder, 'said');
    await room.tmux.tmux('set-hook', '-g', 'pane-died', `run-shell "echo #{pane_dead_status} >>${said}"`);
    const serverPid = await start('echo bye; exit 4', { isKept: true });
    await recorded(serverPid);
    await until('the user’s hook ran', () => existsSync(said));
    expect(await room.ask('=worker:', '#{pane_dead} #{pane_dead_status}')).toBe('1 4');
  });

  it('keeps the pane where the user’s own tmux does', async () => {
    await room.tmux.session('other', 'sleep', '1000');
    const said = join(room.tmux.folder, 'said');
    await room.tmux.tmux('set-option', '-gw', 'remain-on-exit', 'failed');
    await room.tmux.tmux('set-hook', '-g', 'pane-died', `run-shell "echo #{pane_dead_status} >>${said}"`);
    const serverPid = await start('exit 4');
    await until('the user’s hook ran', () => {
      wake(serverPid);
      return existsSync(said);
    });
    expect(await sessions()).toBe('other\nworker');
    await start('exit 0', { name: 'second', stamp: { ...STAMP, run: 'second' } });
    await until('it is gone', async () => {
      wake(serverPid);
      return !(await sessions()).includes('second');
    });
  });

  it('tells that other panes were there', async () => {
    const go = join(room.tmux.folder, 'go');
    const serverPid = await start(`while [ ! -e ${go} ]; do sleep 0.05; done; exit 0`);
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', 'sleep', '1000');
    writeFileSync(go, '');
    expect(await recorded(serverPid)).toMatchObject({ exitStatus: 0, sessions: new Map([['$0', 2]]) });
    await until('the pane is gone', async () => (await room.ask('=worker:', '#{window_panes}')) === '1');
  });

  it('tells of every session that shows it, and of the one that it was moved into', async () => {
    const go = join(room.tmux.folder, 'go');
    const later = `while [ ! -e ${go} ]; do sleep 0.05; done; exit 0`;
    const started = await start(later);
    await room.tmux.tmux('new-session', '-d', '-t', '=worker:', '-s', 'view');
    writeFileSync(go, '');
    const both = new Map([
      ['$0', 1],
      ['$1', 1],
    ]);
    expect((await recorded(started))?.sessions).toEqual(both);
    // Without sessions it is still there until its last client has left, and would take the next one.
    await until('its server has ended', () => startTicksOf(started) === undefined);
    await room.tmux.session('other', 'sleep', '1000');
    rmSync(go);
    const again = await start(later, { stamp: { ...STAMP, run: 'again' } });
    await room.tmux.tmux('join-pane', '-d', '-s', '=worker:', '-t', '=other:');
    writeFileSync(go, '');
    const moved = await until('the end is written down', () => {
      wake(again);
      return createEndsFolder(folder).of('again');
    });
    expect(moved?.sessions).toEqual(new Map([['$0', 2]]));
  });

  it('a pane that was started anew is left alone', async () => {
    const [go, done] = [join(room.tmux.folder, 'go'), join(room.tmux.folder, 'done')];
    const slow = join(room.tmux.folder, 'slow-tmux');
    const body = `while [ ! -e ${go} ]; do sleep 0.05; done; ${tmuxPath} "$@"; case $* in *if-shell*) : >${done}; esac`;
    writeFileSync(slow, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const serverPid = await start('exit 0', {}, slow);
    await until('it has ended', async () => {
      wake(serverPid);
      return (await room.ask('=worker:', '#{pane_dead_status}')) === '0';
    });
    await room.tmux.tmux('respawn-pane', '-t', '=worker:', 'sleep', '1000');
    writeFileSync(go, '');
    await until('the hook is over', () => existsSync(done));
    expect(await room.ask('=worker:', '#{pane_dead} #{remain-on-exit}')).toBe('0 on');
  });

  it('S36: where nothing can be written the dead pane stays, and tells', async () => {
    writeFileSync(join(room.tmux.folder, 'file'), '');
    folder = join(room.tmux.folder, 'file');
    const serverPid = await start('exit 3');
    await until('it has ended', async () => {
      wake(serverPid);
      return (await room.ask('=worker:', '#{pane_dead} #{pane_dead_status}')) === '1 3';
    });
    const jobs = () => execFileSync('ps', ['--ppid', String(serverPid), '-o', 'comm='], { encoding: 'utf8' });
    await until('the hook is over', () => {
      try {
        return jobs().trim() === '';
      } catch {
        return true;
      }
    });
    expect(await sessions()).toBe('worker');
  });
});
