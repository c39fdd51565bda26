import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { countingSpawn, fakeTmux, isListening, sensorOf, summary, tableOf } from './look.ts';
import { folderOf, openRoom } from './room.ts';

const room = openRoom();

describe('S32: a query that fails is not absence', () => {
  it('times out on a listener that never answers, kills its client, and still hears the others', async () => {
    const tmux = room.newServer();
    await tmux.session('main', 'sleep', '1000');
    const path = await room.listener(join(folderOf(tmux.folder), 'silent'));
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], timeoutMs: 3000, spawn });
    // A busy machine may need longer for the one that answers.
    const look = () => {
      children.length = 0;
      return sensor.sense(() => tableOf(tmux.serverPid));
    };
    const sightings = await until('the other is heard', look, (seen) =>
      seen.some(({ state }) => state === 'present'),
    );
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
    const path = await room.listener(join(room.base, 'odd'), (connection) =>
      connection.end(Buffer.alloc(4096, 0xa5)),
    );
    const [seen] = await sensorOf({ onlySockets: [path], timeoutMs: 1500 }).sense(() => tableOf());
    expect(seen).toMatchObject({ state: 'failed', socketPath: path });
  });

  it('fails on a listener that hangs up', async () => {
    const path = await room.listener(join(room.base, 'rude'), (connection) => connection.destroy());
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
    const path = await room.listener(join(room.base, 'sock'));
    const sensor = sensorOf({ onlySockets: [path], tmuxPath: fakeTmux(room.base, script) });
    expect(await sensor.sense(() => tableOf())).toMatchObject([{ state: 'failed', failure }]);
    expect(await sensor.capture(path, ['%0'])).toMatchObject([{ state: 'failed' }]);
  });

  it('fails where tmux is not installed', async () => {
    const path = await room.listener(join(room.base, 'sock'));
    const sensor = sensorOf({ onlySockets: [path], tmuxPath: join(room.base, 'no-tmux') });
    expect(await sensor.sense(() => tableOf())).toMatchObject([{ state: 'failed', failure: 'failed' }]);
  });

  it('calls a running server whose socket file was deleted unreachable, and finds it again', async () => {
    const tmux = room.newServer();
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
    const path = join(room.base, 'taken.sock');
    const old = room.serverOn(path);
    unlinkSync(path);
    const young = room.serverOn(path);
    const sightings = await sensorOf().sense(() => tableOf(old, young));
    expect(sightings).toMatchObject([
      { state: 'present', socketPath: path, pid: young },
      { state: 'failed', failure: 'refused', socketPath: path, pid: old },
    ]);
  });

  it('remembers the process of a server where /proc cannot name it', async () => {
    const tmux = room.newServer();
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], procRoot: join(room.base, 'none') });
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
    const [stopped, running] = [room.newServer('stopped'), room.newServer('running')];
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
    const tmux = room.newServer();
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
    const pid = room.serverOn(join(room.base, 'own.sock'));
    await stop(pid);
    const { spawn, children } = countingSpawn();
    const sightings = await sensorOf({ timeoutMs: 60_000, spawn }).sense(() => tableOf(pid));
    expect(sightings).toMatchObject([{ state: 'failed', failure: 'stopped', pid }]);
    expect(children).toHaveLength(0);
  });
});
