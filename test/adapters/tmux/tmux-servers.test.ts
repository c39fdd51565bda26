import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerSighting } from '../../../src/core/sighting.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { until } from '../../support/until.ts';
import { countingSpawn, fakeTmux, isListening, listenOn, sensorOf, tableOf, UID } from './look.ts';

let base: string;
const closers: (() => void | Promise<void>)[] = [];

beforeEach(() => {
  base = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 's-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(base, { recursive: true, force: true });
});

const folderOf = (parent: string): string => join(parent, `tmux-${UID}`);

function newServer(label?: string): PrivateTmux {
  const server = new PrivateTmux(label);
  closers.push(() => server.stop());
  return server;
}

/** A server on a `-S` socket; gives its pid. One that a test stopped is woken to end. */
function serverOn(socketPath: string, cwd = base): number {
  const run = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socketPath, '-f', '/dev/null', ...args], { cwd, encoding: 'utf8' }).trim();
  const pid = Number(run('new-session', '-d', '-s', 'main', '-P', '-F', '#{pid}', 'sleep', '1000'));
  closers.push(() => {
    try {
      process.kill(pid, 'SIGTERM');
      process.kill(pid, 'SIGCONT');
    } catch {
      // Already gone.
    }
  });
  return pid;
}

async function listener(path: string, greet?: Parameters<typeof listenOn>[1]): Promise<string> {
  const { close } = await listenOn(path, greet);
  closers.push(close);
  return path;
}

const summary = (sightings: readonly ServerSighting[]) =>
  sightings
    .map((each) => [each.socketPath, each.state === 'failed' ? each.failure : each.state])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));

describe('S5: every server of the user is found, and none is mixed up', () => {
  it('finds -L, -S and foreign socket folders, with one session name in all of them', async () => {
    const near = newServer('near');
    const far = newServer('far');
    const nearSession = await near.session('main', 'sleep', '1000');
    const farSession = await far.session('main', 'sleep', '1000');
    const path = join(base, 'own.sock');
    const pid = serverOn(path);
    const sensor = sensorOf({ onlyFolders: [folderOf(near.folder)] });
    const sightings = await sensor.sense(() => tableOf(near.serverPid, far.serverPid, pid));
    const found = sightings.map((each) => each.state === 'present' && [each.socketPath, each.pid]);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        [near.socketPath, near.serverPid],
        [far.socketPath, far.serverPid],
        [path, pid],
      ]),
    );
    for (const [server, { pid: panePid }] of [[near, nearSession] as const, [far, farSession] as const]) {
      const seen = sightings.find((each) => each.socketPath === server.socketPath);
      expect(seen).toMatchObject({ sessions: [{ name: 'main', panes: [{ pid: panePid }] }] });
    }
  });

  it('finds a server whose socket path is relative to where it was started', async () => {
    const pid = serverOn('./relative.sock');
    const sightings = await sensorOf().sense(() => tableOf(pid));
    expect(sightings).toMatchObject([{ state: 'present', socketPath: join(base, 'relative.sock'), pid }]);
  });

  it('lists a server once that is reached by several paths', async () => {
    const tmux = newServer();
    await tmux.session('main', 'sleep', '1000');
    symlinkSync(tmux.folder, join(base, 'alias'));
    symlinkSync(tmux.socketPath, join(folderOf(tmux.folder), 'again'));
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({
      onlyFolders: [folderOf(tmux.folder), folderOf(join(base, 'alias'))],
      expectedSockets: () => [join(folderOf(join(base, 'alias')), tmux.label)],
      spawn,
    });
    const sightings = await sensor.sense(() => tableOf(tmux.serverPid));
    expect(summary(sightings)).toEqual([[tmux.socketPath, 'present']]);
    expect(children).toHaveLength(1);
  });

  it('finds the server of the TMUX variable', async () => {
    const path = join(base, 'inside.sock');
    const pid = serverOn(path);
    const sensor = sensorOf({ env: { ...process.env, TMUX: `${path},${pid},0` } });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([[path, 'present']]);
  });

  it('looks at one server only when asked to', async () => {
    const tmux = newServer();
    await tmux.session('main', 'sleep', '1000');
    const pid = serverOn(join(base, 'other.sock'));
    const sensor = sensorOf({
      onlyFolders: [folderOf(tmux.folder)],
      onlySockets: [join(base, 'other.sock')],
    });
    const sightings = await sensor.sense(() => tableOf(tmux.serverPid, pid));
    expect(summary(sightings)).toEqual([[join(base, 'other.sock'), 'present']]);
  });

  it('takes the label of a server for its socket', async () => {
    const tmux = newServer('labelled');
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ env: tmux.env, onlySockets: ['labelled'] });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([[tmux.socketPath, 'present']]);
  });

  it('leaves servers of other users alone', async () => {
    const pid = serverOn(join(base, 'mine.sock'));
    expect(await sensorOf({ uid: UID + 1 }).sense(() => tableOf(pid))).toEqual([]);
  });

  it('works without /proc on the sockets alone', async () => {
    const tmux = newServer();
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], procRoot: join(base, 'none') });
    const sightings = await sensor.sense(() => tableOf(tmux.serverPid));
    expect(sightings).toMatchObject([{ state: 'present', pid: tmux.serverPid }]);
  });
});

describe('S35: where no server is', () => {
  it('finds nothing, and says so of what was expected', async () => {
    const gone = join(base, 'gone.sock');
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({ onlyFolders: [folderOf(base)], expectedSockets: () => [gone], spawn });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([[gone, 'absent']]);
    expect(children).toHaveLength(0);
    expect(await sensorOf({ onlyFolders: [folderOf(base)] }).sense(() => tableOf())).toEqual([]);
  });

  it('calls the files of dead servers absent without a fork for any of them', async () => {
    const alive = await listenOn(join(folderOf(base), 'd'));
    for (let index = 0; index < 300; index += 1) {
      linkSync(join(folderOf(base), 'd'), join(folderOf(base), `d${index}`));
    }
    await alive.close();
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({ onlyFolders: [folderOf(base)], spawn, now: () => Date.now() + 60_000 });
    for (let round = 0; round < 3; round += 1) {
      const sightings = await sensor.sense(() => tableOf());
      expect(sightings.map((each) => each.state)).toEqual(Array.from({ length: 300 }, () => 'absent'));
    }
    expect(children).toHaveLength(0);
  });

  it('never starts a server by looking or capturing', async () => {
    mkdirSync(folderOf(base), { mode: 0o700 });
    const path = join(folderOf(base), 'never');
    const dead = join(folderOf(base), 'dead');
    const alive = await listenOn(join(folderOf(base), 'x'));
    linkSync(join(folderOf(base), 'x'), dead);
    await alive.close();
    const sensor = sensorOf({ onlySockets: [path, dead] });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([
      [dead, 'absent'],
      [path, 'absent'],
    ]);
    expect(await sensor.capture(path, ['%0'])).toMatchObject([{ state: 'absent' }]);
    expect(await sensor.capture(dead, ['%0'])).toMatchObject([{ state: 'absent' }]);
    expect(existsSync(path)).toBe(false);
    expect(await isListening(dead)).toBe(false);
  });

  it('says once of a server that was seen before that it is gone, though no file is left', async () => {
    const path = join(base, 'own.sock');
    const pid = serverOn(path);
    const sensor = sensorOf();
    expect(summary(await sensor.sense(() => tableOf(pid)))).toEqual([[path, 'present']]);
    process.kill(pid, 'SIGTERM');
    await until('it is gone', () => !tableOf(pid).byPid.has(pid));
    rmSync(path, { force: true });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([[path, 'absent']]);
    expect(await sensor.sense(() => tableOf())).toEqual([]);
  });
});

describe('S32: a query that fails is not absence', () => {
  it('times out on a listener that never answers, kills its client, and still hears the others', async () => {
    const tmux = newServer();
    await tmux.session('main', 'sleep', '1000');
    const path = await listener(join(folderOf(tmux.folder), 'silent'));
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], timeoutMs: 3000, spawn });
    const sightings = await sensor.sense(() => tableOf(tmux.serverPid));
    expect(summary(sightings)).toEqual([
      [tmux.socketPath, 'present'],
      [path, 'timeout'],
    ]);
    const ends = () => children.map((child) => child.signalCode ?? child.exitCode);
    expect((await until('both clients ended', ends, (all) => !all.includes(null))).sort()).toEqual([
      0,
      'SIGKILL',
    ]);
  });

  it('fails on a listener that answers nonsense', async () => {
    const path = await listener(join(base, 'odd'), (connection) => connection.end(Buffer.alloc(4096, 0xa5)));
    const [seen] = await sensorOf({ onlySockets: [path], timeoutMs: 1500 }).sense(() => tableOf());
    expect(seen).toMatchObject({ state: 'failed', socketPath: path });
  });

  it('fails on a listener that hangs up', async () => {
    const path = await listener(join(base, 'rude'), (connection) => connection.destroy());
    const [seen] = await sensorOf({ onlySockets: [path], timeoutMs: 1500 }).sense(() => tableOf());
    expect(seen).toMatchObject({ state: 'failed', socketPath: path });
  });

  it.each([
    ['a client that is killed', 'kill -9 $$', 'failed'],
    ['a client that prints nothing', 'exit 0', 'garbled'],
    ['a client that prints something else', 'echo "main: 1 windows"', 'garbled'],
    ['a client that fails without a word', 'exit 1', 'failed'],
    ['a client that prints without end', 'yes', 'garbled'],
    ['a server that speaks another protocol', 'echo "protocol version mismatch" >&2; exit 1', 'refused'],
  ])('fails on %s', async (_, script, failure) => {
    const path = await listener(join(base, 'sock'));
    const sensor = sensorOf({ onlySockets: [path], tmuxPath: fakeTmux(base, script) });
    expect(await sensor.sense(() => tableOf())).toMatchObject([{ state: 'failed', failure }]);
    expect(await sensor.capture(path, ['%0'])).toMatchObject([{ state: 'failed' }]);
  });

  it('fails where tmux is not installed', async () => {
    const path = await listener(join(base, 'sock'));
    const sensor = sensorOf({ onlySockets: [path], tmuxPath: join(base, 'no-tmux') });
    expect(await sensor.sense(() => tableOf())).toMatchObject([{ state: 'failed', failure: 'failed' }]);
  });

  it('calls a running server whose socket file was deleted unreachable, and finds it again', async () => {
    const tmux = newServer();
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)] });
    unlinkSync(tmux.socketPath);
    expect(await sensor.sense(() => tableOf(tmux.serverPid))).toMatchObject([
      { state: 'failed', failure: 'refused', socketPath: tmux.socketPath, pid: tmux.serverPid },
    ]);
    process.kill(tmux.serverPid, 'SIGUSR1');
    await until('the socket is back', () => isListening(tmux.socketPath));
    expect(summary(await sensor.sense(() => tableOf(tmux.serverPid)))).toEqual([
      [tmux.socketPath, 'present'],
    ]);
  });

  it('reports a server whose socket path another one took beside that one', async () => {
    const path = join(base, 'taken.sock');
    const old = serverOn(path);
    unlinkSync(path);
    const young = serverOn(path);
    const sightings = await sensorOf().sense(() => tableOf(old, young));
    expect(sightings).toMatchObject([
      { state: 'present', socketPath: path, pid: young },
      { state: 'failed', failure: 'refused', socketPath: path, pid: old },
    ]);
  });

  it('remembers the process of a server where /proc cannot name it', async () => {
    const tmux = newServer();
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], procRoot: join(base, 'none') });
    await sensor.sense(() => tableOf(tmux.serverPid));
    unlinkSync(tmux.socketPath);
    expect(await sensor.sense(() => tableOf(tmux.serverPid))).toMatchObject([
      { state: 'failed', failure: 'refused', pid: tmux.serverPid },
    ]);
    process.kill(tmux.serverPid, 'SIGUSR1');
    await until('the socket is back', () => isListening(tmux.socketPath));
  });
});

describe('S32: a stopped server', () => {
  const stop = async (pid: number): Promise<void> => {
    process.kill(pid, 'SIGSTOP');
    await until(
      'it is stopped',
      () => tableOf(pid).byPid.get(pid)?.state,
      (state) => state === 'T',
    );
  };

  it('is named at once, without waiting for the timeout, while another answers', async () => {
    const [stopped, running] = [newServer('stopped'), newServer('running')];
    await stopped.session('main', 'sleep', '1000');
    await running.session('main', 'sleep', '1000');
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({
      onlyFolders: [folderOf(stopped.folder), folderOf(running.folder)],
      timeoutMs: 60_000,
      spawn,
    });
    const table = () => tableOf(stopped.serverPid, running.serverPid);
    expect((await sensor.sense(table)).map((each) => each.state)).toEqual(['present', 'present']);
    await stop(stopped.serverPid);
    // The first look has asked before it knows; the next one knows.
    for (const forks of [4, 5]) {
      const sightings = await sensor.sense(table);
      expect(sightings).toHaveLength(2);
      expect(sightings).toContainEqual(
        expect.objectContaining({ state: 'failed', failure: 'stopped', pid: stopped.serverPid }),
      );
      expect(sightings).toContainEqual(expect.objectContaining({ state: 'present', pid: running.serverPid }));
      expect(children).toHaveLength(forks);
    }
    process.kill(stopped.serverPid, 'SIGCONT');
    await until(
      'it runs',
      () => table().byPid.get(stopped.serverPid)?.state,
      (state) => state !== 'T',
    );
    expect((await sensor.sense(table)).map((each) => each.state)).toEqual(['present', 'present']);
  });

  it('is absent once it died', async () => {
    const tmux = newServer();
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)] });
    await stop(tmux.serverPid);
    await sensor.sense(() => tableOf(tmux.serverPid));
    process.kill(tmux.serverPid, 'SIGKILL');
    await until(
      'it is dead',
      () => !/[RSDT]/.test(tableOf(tmux.serverPid).byPid.get(tmux.serverPid)?.state ?? ''),
    );
    expect(summary(await sensor.sense(() => tableOf(tmux.serverPid)))).toEqual([[tmux.socketPath, 'absent']]);
  });

  it('is named without a call when only its process shows where it listens', async () => {
    const pid = serverOn(join(base, 'own.sock'));
    await stop(pid);
    const { spawn, children } = countingSpawn();
    const sightings = await sensorOf({ timeoutMs: 60_000, spawn }).sense(() => tableOf(pid));
    expect(sightings).toMatchObject([{ state: 'failed', failure: 'stopped', pid }]);
    expect(children).toHaveLength(0);
  });
});
