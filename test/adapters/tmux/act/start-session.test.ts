import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../../support/until.ts';
import { UID } from '../look.ts';
import { openStartRoom, STAMP } from './start-room.ts';

const room = openStartRoom();

describe('starting a session', () => {
  it('starts a server where none runs, and tells the ids', async () => {
    const answer = await room.started();
    expect(answer).toMatchObject({ name: 'worker', server: { socketPath: room.tmux.socketPath } });
    const facts = '#{pid} #{session_id} #{session_created} #{pane_id} #{pane_pid} #{pane_start_path}';
    const { server, sessionId, createdAtSeconds, paneId, pid } = answer;
    expect(await room.ask('=worker:', facts)).toBe(
      `${server.pid} ${sessionId} ${createdAtSeconds} ${paneId} ${pid} ${room.tmux.folder}`,
    );
    expect(statSync(join(room.tmux.folder, `tmux-${UID}`)).mode & 0o777).toBe(0o700);
  });

  it('is refused where nobody could see it afterwards: the kernel lists sockets line by line', async () => {
    const path = join(room.tmux.folder, 'a\nb');
    expect(await room.actuator.startSession(path, room.wish())).toMatchObject({
      ...{ state: 'failed', text: expect.stringContaining('line break') },
    });
    expect(existsSync(path)).toBe(false);
  });

  it('stamps the pane and sets what is needed, and nothing for anybody else', async () => {
    await room.tmux.session('other', 'sleep', '1000');
    const optionsOf = () =>
      Promise.all(
        [['-g'], ['-gw'], ['-s'], ['-t', '=other:'], ['-w', '-t', '=other:'], ['-p', '-t', '=other:']].map(
          (which) => room.tmux.tmux('show-options', ...which),
        ),
      );
    const before = await optionsOf();
    const { sessionId, paneId } = await room.started({ remain: true });
    expect(await room.stampOf(paneId)).toBe('a1b2c3d4e5f6|somebody|worker|T-1');
    const options = await room.tmux.tmux('show-options', '-t', sessionId);
    expect(options).toContain('destroy-unattached off');
    expect(options).toContain('@rollcall_session a1b2c3d4e5f6');
    expect(await room.tmux.tmux('show-options', '-p', '-t', paneId, 'remain-on-exit')).toBe(
      'remain-on-exit on',
    );
    expect(await optionsOf()).toEqual(before);
  });

  it('leaves out what there is none of', async () => {
    const { paneId } = await room.started({ stamp: { ...STAMP, role: null, task: null } });
    expect(await room.tmux.tmux('show-options', '-p', '-t', paneId)).toBe(
      '@rollcall_owner somebody\n@rollcall_run a1b2c3d4e5f6',
    );
  });

  it('gives it the size that was wished for', async () => {
    const { paneId } = await room.started({ size: { columns: 133, rows: 41 } });
    expect(await room.ask(paneId, '#{window_width}x#{window_height}')).toBe('133x41');
  });

  it('S47: outlives a global destroy-unattached, that of a running server and that of a configuration', async () => {
    writeFileSync(join(room.tmux.folder, '.tmux.conf'), 'set -g destroy-unattached on\n');
    const first = await room.started({ name: 'first' });
    const second = await room.started({ name: 'se.co\\n$d' });
    expect(await room.tmux.tmux('show-options', '-gv', 'destroy-unattached')).toBe('on');
    // Any client that leaves makes tmux look for sessions to destroy; these have left by now.
    expect(await room.tmux.tmux('list-sessions', '-F', '#{session_id}')).toBe(
      `${first.sessionId}\n${second.sessionId}`,
    );
  });

  it('keeps the pane of a program that ends at once, if so wished', async () => {
    const { paneId } = await room.started({ argv: ['sh', '-c', 'exit 3'], remain: true });
    // tmux before 3.6 can miss the death of a child; a child of its own that ends makes it look again.
    const dead = await until(
      'it has ended',
      async () => {
        await room.tmux.tmux('run-shell', '-b', 'true');
        return room.ask(paneId, '#{pane_dead} #{pane_dead_status}');
      },
      (answer) => answer.startsWith('1'),
    );
    expect(dead).toBe('1 3');
    expect(await room.stampOf(paneId)).toContain('a1b2c3d4e5f6');
  });

  it('S47: the server belongs neither to the group nor to the session of rollcall, and holds no folder of it', async () => {
    const { server } = await room.started();
    const stat = (pid: number | string) =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
    const [, , pgid, sid, tty] = stat(server.pid);
    const [, , ownGroup, ownSession] = stat('self');
    expect([pgid, sid, tty]).toEqual([String(server.pid), String(server.pid), '0']);
    expect([ownGroup, ownSession]).not.toContain(String(server.pid));
    expect(readlinkSync(`/proc/${server.pid}/cwd`)).toBe('/');
  });

  it('gives a new server the environment of the user, not its own', async () => {
    room.withEnv({ LC_ALL: 'POSIX', CLAUDECODE: '1', TMUX: '/x,1,0', TMUX_PANE: '%9' });
    await room.started({ withoutEnv: ['CLAUDECODE'] });
    const global = await room.tmux.tmux('show-environment', '-g');
    expect(global).toContain('LC_ALL=POSIX');
    expect(global).not.toMatch(/^(CLAUDECODE|TMUX|TMUX_PANE)=/m);
  });
});

describe('S9: its name', () => {
  it.each([
    ['plain', 'plain'],
    ['a.b:c', 'a_b_c'],
    ['-leading', '-leading'],
    [' with  spaces ', ' with  spaces '],
    ['ünïcödé 会話 🤖', 'ünïcödé 会話 🤖'],
    ['#(touch hacked)', '#(touch hacked)'],
    ['#{pid}##{pid}#S#', '#{pid}##{pid}#S#'],
    ['#[x]##[y]', '#[x]##[y]'],
    ['a,b;', 'a,b;'],
    [';', ';'],
    ['=exact', '=exact'],
    ['$0', '$0'],
    ['@1', '@1'],
    ['%1', '%1'],
    ['back\\slash', 'back\\\\slash'],
    ['"\'`$HOME $1 $ {}~*?', '"\'`\\$HOME $1 $ {}~*?'],
    ['tab\tand\u001b', 'tab\\tand\\033'],
    ['x'.repeat(300), 'x'.repeat(300)],
  ])('%j', async (name, stored) => {
    await room.tmux.session('neighbour', 'sleep', '1000');
    const answer = await room.started({ name });
    expect(answer.name).toBe(stored);
    expect(await room.ask(answer.paneId, '#{session_name}|')).toBe(`${stored}|`);
    expect(await room.stampOf(answer.paneId)).toBe('a1b2c3d4e5f6|somebody|worker|T-1');
    expect(await room.stampOf('=neighbour:')).toBe('|||');
    expect(existsSync(join(room.tmux.folder, 'hacked'))).toBe(false);
    expect(await room.actuator.startSession(room.tmux.socketPath, room.wish({ name }))).toMatchObject({
      state: 'name-taken',
    });
  });

  it('may be longer than what a tmux client takes', async () => {
    const answer = await room.started({ name: 'x'.repeat(20_000), remain: true });
    expect(answer.name.length).toBe(20_000);
    expect(await room.stampOf(answer.paneId)).toBe('a1b2c3d4e5f6|somebody|worker|T-1');
    expect(await room.tmux.tmux('show-options', '-t', answer.sessionId)).toContain('destroy-unattached off');
  });

  it('S1: is taken only by exactly the same one', async () => {
    await room.tmux.session('foobar', 'sleep', '1000');
    await room.tmux.session('fo*', 'sleep', '1000');
    await room.started({ name: 'foo' });
    const again = await room.actuator.startSession(
      room.tmux.socketPath,
      room.wish({ name: 'foo', argv: ['false'] }),
    );
    expect(again).toEqual({ state: 'name-taken', text: 'duplicate session: foo' });
    expect(await room.tmux.tmux('list-sessions', '-F', '#{session_name}')).toBe('fo*\nfoo\nfoobar');
  });

  it('marks no stranger, whatever bears its name', async () => {
    // A hook of the user makes another pane the current one before the marks are set.
    await room.tmux.session('other', 'sleep', '1000');
    await room.tmux.tmux('set-hook', '-g', 'after-new-session', 'split-window "sleep 1000"');
    const { paneId, sessionId } = await room.started({ remain: true });
    expect(await room.stampOf(paneId)).toBe('a1b2c3d4e5f6|somebody|worker|T-1');
    const panes = (
      await room.tmux.tmux('list-panes', '-s', '-t', sessionId, '-F', '#{pane_id} #{@rollcall_run}')
    ).split('\n');
    expect(panes.filter((each) => each.endsWith('a1b2c3d4e5f6'))).toEqual([`${paneId} a1b2c3d4e5f6`]);
    expect(panes.length).toBe(2);
    expect(await room.tmux.tmux('show-options', '-t', sessionId)).toContain('destroy-unattached off');
  });
});

describe('its server', () => {
  it('S55: is not started in a folder that others may write to', async () => {
    const folder = join(room.tmux.folder, `tmux-${UID}`);
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const answer = await room.actuator.startSession(room.tmux.socketPath, room.wish());
    expect(answer).toEqual({ state: 'failed', text: expect.stringContaining('not trusted') });
    expect(existsSync(room.tmux.socketPath)).toBe(false);
  });

  it('may be on any socket, and says when it cannot be', async () => {
    const missing = join(room.tmux.folder, 'no', 'folder');
    expect(await room.actuator.startSession(missing, room.wish())).toMatchObject({ state: 'failed' });
    expect(await room.actuator.startSession('relative', room.wish())).toMatchObject({ state: 'failed' });
  });
});
