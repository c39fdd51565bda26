import { existsSync, linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { countingSpawn, isListening, listenOn, sensorOf, summary, tableOf, UID } from './look.ts';
import { folderOf, openRoom } from './room.ts';

const room = openRoom();

describe('S5: every server of the user is found, and none is mixed up', () => {
  it('finds -L, -S and foreign socket folders, with one session name in all of them', async () => {
    const near = room.newServer('near');
    const far = room.newServer('far');
    const nearSession = await near.session('main', 'sleep', '1000');
    const farSession = await far.session('main', 'sleep', '1000');
    const path = join(room.base, 'own.sock');
    const pid = room.serverOn(path);
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
    const pid = room.serverOn('./relative.sock');
    const sightings = await sensorOf().sense(() => tableOf(pid));
    expect(sightings).toMatchObject([
      { state: 'present', socketPath: join(room.base, 'relative.sock'), pid },
    ]);
  });

  it('leaves out those outside of the folder that was named, unless they are expected there', async () => {
    const [own, other, expected] = ['own', 'other', 'expected'].map((label) => room.newServer(label));
    const all = [own, other, expected].filter((server) => server !== undefined);
    for (const server of all) await server.session('main', 'sleep', '1000');
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({
      onlyFolders: all.map(({ folder }) => folderOf(folder)),
      within: own?.folder ?? '',
      expectedSockets: () => [expected?.socketPath ?? ''],
      spawn,
    });
    const sightings = await sensor.sense(() => tableOf(...all.map(({ serverPid }) => serverPid)));
    const seen = [own, expected].map((server) => [server?.socketPath, 'present']);
    expect(summary(sightings)).toEqual(seen.sort());
    expect(children).toHaveLength(2);
  });

  it('lists a server once that is reached by several paths', async () => {
    const tmux = room.newServer();
    await tmux.session('main', 'sleep', '1000');
    symlinkSync(tmux.folder, join(room.base, 'alias'));
    symlinkSync(tmux.socketPath, join(folderOf(tmux.folder), 'again'));
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({
      onlyFolders: [folderOf(tmux.folder), folderOf(join(room.base, 'alias'))],
      expectedSockets: () => [join(folderOf(join(room.base, 'alias')), tmux.label)],
      spawn,
    });
    const sightings = await sensor.sense(() => tableOf(tmux.serverPid));
    expect(summary(sightings)).toEqual([[tmux.socketPath, 'present']]);
    expect(children).toHaveLength(1);
  });

  it('knows the process of a server that was started by an alias on a mount that may stop', async () => {
    mkdirSync(join(room.base, 'real'));
    symlinkSync('real', join(room.base, 'alias'));
    const pid = room.serverOn(join(room.base, 'alias', 'own.sock'));
    const sensor = sensorOf({ within: room.base, answers: () => Promise.resolve(true) });
    const table = tableOf(pid);
    expect(await sensor.sense(() => table)).toMatchObject([
      { state: 'present', pid, startTicks: table.byPid.get(pid)?.startTicks },
    ]);
  });

  it('finds the server of the TMUX variable', async () => {
    const path = join(room.base, 'inside.sock');
    const pid = room.serverOn(path);
    const sensor = sensorOf({ env: { ...process.env, TMUX: `${path},${pid},0` } });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([[path, 'present']]);
  });

  it('looks at one server only when asked to', async () => {
    const tmux = room.newServer();
    await tmux.session('main', 'sleep', '1000');
    const pid = room.serverOn(join(room.base, 'other.sock'));
    const sensor = sensorOf({
      onlyFolders: [folderOf(tmux.folder)],
      onlySockets: [join(room.base, 'other.sock')],
    });
    const sightings = await sensor.sense(() => tableOf(tmux.serverPid, pid));
    expect(summary(sightings)).toEqual([[join(room.base, 'other.sock'), 'present']]);
  });

  it('takes the label of a server for its socket', async () => {
    const tmux = room.newServer('labelled');
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ env: tmux.env, onlySockets: ['labelled'] });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([[tmux.socketPath, 'present']]);
  });

  it('leaves servers of other users alone', async () => {
    const pid = room.serverOn(join(room.base, 'mine.sock'));
    expect(await sensorOf({ uid: UID + 1 }).sense(() => tableOf(pid))).toEqual([]);
  });

  it('works without /proc on the sockets alone', async () => {
    const tmux = room.newServer();
    await tmux.session('main', 'sleep', '1000');
    const sensor = sensorOf({ onlyFolders: [folderOf(tmux.folder)], procRoot: join(room.base, 'none') });
    const sightings = await sensor.sense(() => tableOf(tmux.serverPid));
    expect(sightings).toMatchObject([{ state: 'present', pid: tmux.serverPid }]);
  });
});

describe('S35: where no server is', () => {
  it('finds nothing, and says so of what was expected', async () => {
    const gone = join(room.base, 'gone.sock');
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({ onlyFolders: [folderOf(room.base)], expectedSockets: () => [gone], spawn });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([[gone, 'absent']]);
    expect(children).toHaveLength(0);
    expect(await sensorOf({ onlyFolders: [folderOf(room.base)] }).sense(() => tableOf())).toEqual([]);
  });

  it('calls the files of dead servers absent without a fork for any of them', async () => {
    const alive = await listenOn(join(folderOf(room.base), 'd'));
    for (let index = 0; index < 300; index += 1) {
      linkSync(join(folderOf(room.base), 'd'), join(folderOf(room.base), `d${index}`));
    }
    await alive.close();
    const { spawn, children } = countingSpawn();
    const sensor = sensorOf({ onlyFolders: [folderOf(room.base)], spawn, now: () => Date.now() + 60_000 });
    for (let round = 0; round < 3; round += 1) {
      const sightings = await sensor.sense(() => tableOf());
      expect(sightings.map((each) => each.state)).toEqual(Array.from({ length: 300 }, () => 'absent'));
    }
    expect(children).toHaveLength(0);
  });

  it('never starts a server by looking or capturing', async () => {
    mkdirSync(folderOf(room.base), { mode: 0o700 });
    const path = join(folderOf(room.base), 'never');
    const dead = join(folderOf(room.base), 'dead');
    const alive = await listenOn(join(folderOf(room.base), 'x'));
    linkSync(join(folderOf(room.base), 'x'), dead);
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
    const path = join(room.base, 'own.sock');
    const pid = room.serverOn(path);
    const sensor = sensorOf();
    expect(summary(await sensor.sense(() => tableOf(pid)))).toEqual([[path, 'present']]);
    process.kill(pid, 'SIGTERM');
    await until('it is gone', () => !tableOf(pid).byPid.has(pid));
    rmSync(path, { force: true });
    expect(summary(await sensor.sense(() => tableOf()))).toEqual([[path, 'absent']]);
    expect(await sensor.sense(() => tableOf())).toEqual([]);
  });
});
