import { spawn } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerSighting } from '../../../src/core/sight/sighting.ts';
import type { TmuxSensor } from '../../../src/ports/sensor.ts';
import type { PrivateTmux } from '../../support/private-tmux.ts';
import { until } from '../../support/until.ts';
import { countingSpawn, onlyServer, type Present, sensorOf, sessionNamed, tableOf } from './look.ts';
import { folderOf, openRoom } from './room.ts';

const room = openRoom();
let tmux: PrivateTmux;
let sensor: TmuxSensor;

beforeEach(() => {
  tmux = room.newServer();
  sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)] });
});

async function look(): Promise<Present> {
  return onlyServer(await sensor.sense(() => tableOf(tmux.serverPid)));
}

describe('one server', () => {
  it('is seen with its identity, sessions and panes', async () => {
    const { sessionId, paneId, pid } = await tmux.session('main', 'sleep', '1000');
    const before = Date.now();
    const server = await look();
    expect(server).toMatchObject({ socketPath: tmux.socketPath, pid: tmux.serverPid, clients: [] });
    expect(server.startTicks).toBe(tableOf(tmux.serverPid).byPid.get(tmux.serverPid)?.startTicks);
    expect(server.startTicks).toBeGreaterThan(0);
    expect(server.observedAt).toBeGreaterThanOrEqual(before);
    expect(server.version).toBe((await tmux.tmux('-V')).replace('tmux ', ''));
    expect(server.sessions).toMatchObject([{ sessionId, name: 'main' }]);
    expect(server.sessions[0]?.panes).toMatchObject([
      {
        ...{ paneId, pid, windowIndex: 0, paneIndex: 0, isActive: true, isDead: false, isInMode: false },
        ...{ isFullScreen: false, isWindowShared: false, startCommand: 'sleep 1000' },
      },
    ]);
    expect(server.sessions[0]).not.toHaveProperty('lastAttachedAt');
    expect(server.sessions[0]?.panes[0]).not.toHaveProperty('currentPath');
  });

  it('whose socket lies in a folder that gives no answer is not touched, and costs no other server', async () => {
    await tmux.session('main', 'sleep', '1000');
    const far = '/far/away/socket';
    const asked: string[] = [];
    sensor = sensorOf({
      onlyFolders: [folderOf(tmux.folder)],
      expectedSockets: () => [far],
      answers(path) {
        asked.push(path);
        return path === far ? Promise.resolve(false) : null;
      },
    });
    const seen = await sensor.sense(() => tableOf(tmux.serverPid));
    expect(asked).toContain(far);
    expect(seen.map(({ socketPath, state }) => [socketPath, state])).toEqual([
      [tmux.socketPath, 'present'],
      [far, 'failed'],
    ]);
    expect(seen[1]).toMatchObject({
      failure: 'timeout',
      text: 'the folder of its socket gives no answer: is its mount alive?',
    });
  });

  it('is asked in one fork, whether it has one session or twenty', async () => {
    const { spawn: counted, children } = countingSpawn();
    sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], spawn: counted });
    await tmux.session('s0', 'sleep', '1000');
    await look();
    expect(children.length).toBe(1);
    for (let index = 1; index < 20; index += 1) await tmux.session(`s${index}`, 'sleep', '1000');
    expect((await look()).sessions.length).toBe(20);
    expect(children.length).toBe(2);
  });

  it('is asked before the process table is read, so that both run at the same time', async () => {
    await tmux.session('main', 'sleep', '1000');
    const { spawn: counted, children } = countingSpawn();
    sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], spawn: counted });
    let forksBefore = -1;
    await sensor.sense(() => {
      forksBefore = children.length;
      return tableOf();
    });
    expect(forksBefore).toBe(1);
  });

  it('tells the pane directory where the process sensor cannot', async () => {
    await tmux.session('main', 'sleep', '1000');
    sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], asksPath: true });
    await until(
      'tmux knows it',
      async () => (await look()).sessions[0]?.panes[0]?.currentPath,
      (path) => path === tmux.folder,
    );
  });

  it('S33: is present without sessions when it keeps running empty', async () => {
    await tmux.session('main', 'sleep', '1000');
    await tmux.tmux('set-option', '-s', 'exit-empty', 'off');
    await tmux.tmux('kill-session', '-t', '$0');
    expect(await look()).toMatchObject({ pid: tmux.serverPid, sessions: [], clients: [] });
  });

  it('S44: shows a pane that outlived its program, with how it ended', async () => {
    await tmux.session('main', 'sleep', '1000');
    await tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
    const { paneId } = await tmux.session('gone', 'sh', '-c', 'exit 3');
    const pane = await until(
      'the exit status is there',
      async () => {
        // tmux 3.3a loses some exit statuses until its next child ends.
        await tmux.tmux('run-shell', '-b', 'true');
        return sessionNamed(await look(), 'gone').panes[0];
      },
      (seen) => seen?.exitStatus !== undefined,
    );
    expect(pane).toMatchObject({ paneId, isDead: true, exitStatus: 3 });
  });

  it('S19: shows copy mode and the alternate screen', async () => {
    await tmux.session('main', 'sh', '-c', 'printf "\\033[?1049h"; exec sleep 1000');
    await until('the alternate screen is on', async () => (await look()).sessions[0]?.panes[0]?.isFullScreen);
    await tmux.tmux('copy-mode', '-t', '%0');
    expect((await look()).sessions[0]?.panes[0]?.isInMode).toBe(true);
  });

  it('S19: shows every client, on a terminal and in control mode', async () => {
    const { sessionId } = await tmux.session('main', 'sleep', '1000');
    const outer = room.newServer('outer');
    const attach = ['tmux', '-S', tmux.socketPath, 'attach', '-t', sessionId];
    await outer.session('person', 'env', '-u', 'TMUX', ...attach);
    const control = spawn('tmux', ['-S', tmux.socketPath, '-C', 'attach', '-t', sessionId], {
      env: tmux.env,
    });
    try {
      const server = await until('both are attached', look, (seen) => seen.clients.length === 2);
      const [first, second] = [...server.clients].sort((a, b) => Number(a.isControl) - Number(b.isControl));
      expect(first).toMatchObject({ sessionId, isControl: false, tty: expect.stringMatching(/^\/dev\//) });
      expect(second).toMatchObject({ sessionId, isControl: true, pid: control.pid });
      expect(Math.abs((first?.lastInputAt ?? 0) - Date.now())).toBeLessThan(60_000);
      expect(server.sessions[0]?.lastAttachedAt).toBeGreaterThan(0);
    } finally {
      control.stdin.end();
      await new Promise((resolve) => control.on('close', resolve));
    }
  });
});

describe('identity', () => {
  it('S1: names that are prefixes or patterns of each other keep their own ids', async () => {
    const made = [];
    for (const name of ['agent-1', 'agent-10', 'agent-*', 'agent-?']) {
      made.push({ name, ...(await tmux.session(name, 'sleep', '1000')) });
    }
    const server = await look();
    for (const { name, sessionId, paneId, pid } of made) {
      expect(sessionNamed(server, name)).toMatchObject({ sessionId, panes: [{ paneId, pid }] });
    }
  });

  it('S3: a server restarted on its socket repeats the ids but not the identity', async () => {
    const later = () => Date.now() + 60_000;
    sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], now: later });
    await tmux.session('main', 'sleep', '1000');
    const first = await look();
    await tmux.killServer();
    await until(
      'the socket is dead',
      () => sensor.sense(() => tableOf()),
      ([seen]) => seen?.state === 'absent',
    );
    await tmux.session('main', 'sleep', '1000');
    const second = await look();
    expect(second.sessions[0]?.sessionId).toBe(first.sessions[0]?.sessionId);
    expect(second.sessions[0]?.panes[0]?.paneId).toBe(first.sessions[0]?.panes[0]?.paneId);
    expect([second.pid, second.startTicks]).not.toEqual([first.pid, first.startTicks]);
    expect(second.startTicks).toBeGreaterThan(first.startTicks);
  });

  it('S4: a renamed session and a moved pane are seen under their ids', async () => {
    const a = await tmux.session('a', 'sleep', '1000');
    const b = await tmux.session('b', 'sleep', '1000');
    await tmux.tmux('rename-session', '-t', a.sessionId, 'renamed');
    await tmux.tmux('split-window', '-d', '-t', a.paneId, 'sleep', '1000');
    await tmux.tmux('join-pane', '-d', '-s', a.paneId, '-t', b.paneId);
    const server = await look();
    const homes = server.sessions.flatMap((session) =>
      session.panes
        .filter((pane) => pane.pid === a.pid)
        .map((pane) => [session.sessionId, session.name, pane.paneId]),
    );
    expect(homes).toEqual([[b.sessionId, 'b', a.paneId]]);
    expect(sessionNamed(server, 'renamed').sessionId).toBe(a.sessionId);
  });

  it('S7: sees the same from inside a pane of another server', async () => {
    await tmux.session('main', 'sleep', '1000');
    const other = room.newServer('other');
    const inside = await other.session('main', 'sleep', '1000');
    const env = { ...tmux.env, TMUX: `${other.socketPath},${other.serverPid},0`, TMUX_PANE: inside.paneId };
    const folders = [folderOf(tmux.folder)];
    const seenFrom = async (each: NodeJS.ProcessEnv): Promise<ServerSighting[]> =>
      sensorOf({ env: each, onlyFolders: folders, now: () => 1 }).sense(() => tableOf(tmux.serverPid));
    const [plain, ...inPane] = [await seenFrom(tmux.env), ...(await seenFrom(env))];
    expect(inPane).toContainEqual(onlyServer(plain));
    expect(inPane.map((each) => each.socketPath).sort()).toEqual([tmux.socketPath, other.socketPath].sort());
  });

  it('S51: a grouped session and a linked window show their panes in each session, as shared', async () => {
    const one = await tmux.session('one', 'sleep', '1000');
    await tmux.tmux('new-session', '-d', '-t', one.sessionId, '-s', 'twin');
    const lone = await tmux.session('lone', 'sleep', '1000');
    const linked = await tmux.session('linked', 'sleep', '1000');
    await tmux.tmux('link-window', '-d', '-s', `${linked.sessionId}:`, '-t', `${lone.sessionId}:7`);
    const server = await look();
    const panes = (name: string) =>
      sessionNamed(server, name).panes.map((pane) => [pane.paneId, pane.isWindowShared]);
    expect(panes('one')).toEqual([[one.paneId, true]]);
    expect(panes('twin')).toEqual([[one.paneId, true]]);
    expect(sessionNamed(server, 'twin').group).toBe(sessionNamed(server, 'one').group);
    expect(sessionNamed(server, 'one').group).toBeDefined();
    expect(sessionNamed(server, 'lone')).not.toHaveProperty('group');
    expect(panes('lone')).toEqual([
      [lone.paneId, false],
      [linked.paneId, true],
    ]);
  });
});

it('S25: output of a detached session moves lastOutputAt, which session_activity does not show', async () => {
  const { paneId } = await tmux.session('main', 'sh', '-c', 'while sleep 0.2; do echo tick; done');
  const lastOutputAt = async () => (await look()).sessions[0]?.panes[0]?.lastOutputAt ?? 0;
  const first = await lastOutputAt();
  const later = await until('output moved it', lastOutputAt, (at) => at >= first + 2000);
  const session = Number(await tmux.tmux('display-message', '-p', '-t', paneId, '#{session_activity}'));
  expect(session * 1000).toBeLessThan(later);
});
