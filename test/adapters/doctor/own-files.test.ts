import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDoctorSensor } from '../../../src/adapters/doctor/doctor-sensor.ts';
import { createOwnFiles, readOwnFolder } from '../../../src/adapters/doctor/own-folder.ts';

const uid = process.getuid?.() ?? 0;
let folder: string;
let spool: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'own-'));
  spool = join(folder, 'spool');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sensor = () =>
  createDoctorSensor({
    run: async () => ({ ended: 'timeout' }),
    ...{ folder, spoolFolder: spool, uid, user: 'me', watched: [] },
  });
const put = (name: string, mode = 0o600) => {
  const path = join(folder, name);
  writeFileSync(path, 'x', { mode });
  chmodSync(path, mode);
  return path;
};
const entryAt = (path: string) => {
  const seen = readOwnFolder(folder, uid);
  const found = seen.state === 'read' ? seen.entries.find((one) => one.path === path) : undefined;
  if (found === undefined) throw new Error(`${path} was not seen`);
  return found;
};
const rights = (path: string) => (statSync(path).mode & 0o777).toString(8);
const mend = (path: string, what: 'make-private' | 'remove', mark = entryAt(path).mark) =>
  createOwnFiles({ folder, uid }).mend({ kind: 'own-file', path, what, mark });

describe('the state folder', () => {
  it('is seen with everything in it but the events in the spool', () => {
    mkdirSync(join(folder, 'locks'), { mode: 0o755 });
    mkdirSync(spool, { mode: 0o700 });
    const [inside, wide] = [put('spool/1'), put('locks/a.lock', 0o644)];
    symlinkSync('/etc/passwd', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const seen = sensor().stateFolder();
    const kinds =
      seen.state === 'read' ? new Map(seen.entries.map((one) => [one.path, one.kind])) : new Map();
    expect(Object.fromEntries(kinds)).toEqual({
      [folder]: 'folder',
      [join(folder, 'locks')]: 'folder',
      [spool]: 'folder',
      [wide]: 'file',
      [join(folder, 'link')]: 'link',
      [join(folder, 'pipe')]: 'other',
    });
    expect(entryAt(wide)).toMatchObject({ mode: 0o644, isOwn: true, sizeBytes: 1 });
    const events = sensor().spool();
    expect(events.state === 'read' && events.entries.map(({ path }) => path)).toEqual([inside]);
  });

  it('is absent, or refused where it is not ours to look into', () => {
    expect(sensor().spool()).toEqual({ state: 'absent', path: spool });
    put('file');
    expect(readOwnFolder(join(folder, 'file', 'below'), uid)).toMatchObject({ state: 'refused' });
  });

  it.runIf(uid === 0)('S55: tells what belongs to another user, and does not look into it', () => {
    const theirs = join(folder, 'theirs');
    mkdirSync(theirs);
    writeFileSync(join(theirs, 'a'), '');
    execFileSync('chown', ['-R', '12345', theirs]);
    const seen = readOwnFolder(folder, uid);
    expect(seen.state === 'read' && seen.entries.map(({ path, isOwn }) => [path, isOwn])).toEqual([
      [folder, true],
      [theirs, false],
    ]);
    expect(mend(theirs, 'make-private')).toMatchObject({ state: 'changed' });
  });
});

describe('mending a file', () => {
  it('takes the rights of others away, of files, folders and sockets', async () => {
    const file = put('wide', 0o754);
    const below = join(folder, 'below');
    mkdirSync(below);
    chmodSync(below, 0o777);
    const socket = join(folder, 'sock');
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    chmodSync(socket, 0o666);
    for (const path of [file, below, socket]) expect(mend(path, 'make-private')).toEqual({ state: 'done' });
    expect([file, below, socket].map(rights)).toEqual(['700', '700', '600']);
    server.close();
  });

  it('removes a leftover', () => {
    const path = put('old');
    expect(mend(path, 'remove')).toEqual({ state: 'done' });
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  it.each(['make-private', 'remove'] as const)('S2: leaves another file in its place alone (%s)', (what) => {
    const path = put('a', 0o644);
    const { mark } = entryAt(path);
    renameSync(put('b', 0o644), path);
    expect(mend(path, what, mark)).toMatchObject({ state: 'changed' });
    expect(rights(path)).toBe('644');
  });

  it.each(['make-private', 'remove'] as const)(
    'leaves a file alone that was written to since (%s)',
    (what) => {
      const path = put('a', 0o644);
      const { mark } = entryAt(path);
      utimesSync(path, 1, 1);
      expect(mend(path, what, mark)).toMatchObject({ state: 'changed' });
      expect(rights(path)).toBe('644');
    },
  );

  it.each(['make-private', 'remove'] as const)(
    'S55: follows no link that was put in its place (%s)',
    (what) => {
      const target = put('target', 0o644);
      const path = put('a', 0o644);
      const { mark } = entryAt(path);
      rmSync(path);
      symlinkSync(target, path);
      expect(mend(path, what, mark)).toMatchObject({ state: 'changed' });
      expect(rights(target)).toBe('644');
    },
  );

  it('does nothing to what is gone, to a folder that is to be removed, and outside of the state folder', () => {
    expect(mend(join(folder, 'gone'), 'remove', '1.1.1.1')).toMatchObject({ state: 'changed' });
    const below = join(folder, 'below');
    mkdirSync(below);
    expect(mend(below, 'remove')).toMatchObject({ state: 'changed' });
    for (const path of ['/etc/hostname', `${folder}x`, join(folder, 'a').replace(/a$/, '../x')]) {
      expect(mend(path, 'remove', '1.1.1.1')).toMatchObject({ state: 'failed' });
    }
  });
});

describe('folders that sessions name', () => {
  it('are missing only where the folder above is there, or where the kernel says that they were removed', async () => {
    put('file');
    const [gone, there, far] = ['gone', 'file', 'no/such/folder'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const below = join(there, 'below');
    expect(await sensor().missingFolders([gone, there, folder, far, `${far} (deleted)`, below])).toEqual(
      new Set([gone, `${far} (deleted)`]),
    );
  });
});

describe('the disk', () => {
  it('is measured, or the failure is told', () => {
    expect(sensor().disk()).toMatchObject({ state: 'read', path: folder });
    rmSync(folder, { recursive: true });
    expect(sensor().disk()).toMatchObject({ state: 'failed' });
  });
});

describe('the daemon’s own word', () => {
  const note = { format: 1, pid: 5, startTicks: 6, bootId: 'b', startedAt: 7, problems: ['no port', 3] };
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));

  it('is read, with its last round', () => {
    expect(sensor().daemon()).toEqual({ state: 'none' });
    write('daemon.json', note);
    const path = join(folder, 'daemon.json');
    const read = {
      state: 'read',
      path,
      pid: 5,
      startTicks: 6,
      bootId: 'b',
      startedAt: 7,
      problems: ['no port'],
    };
    expect(sensor().daemon()).toEqual({ ...read, lastRoundAt: null });
    write('daemon-status.json', { pid: 5, at: 99 });
    expect(sensor().daemon()).toEqual({ ...read, lastRoundAt: 99 });
    write('daemon-status.json', { pid: 4, at: 99 });
    expect(sensor().daemon()).toEqual({ ...read, lastRoundAt: null });
  });

  it('S57: is unreadable where it is something else', () => {
    for (const text of ['{', '7', '{"pid":1}', ' '.repeat(70_000)]) {
      writeFileSync(join(folder, 'daemon.json'), text);
      expect(sensor().daemon()).toMatchObject({ state: 'unreadable' });
    }
    rmSync(join(folder, 'daemon.json'));
    symlinkSync('/etc/hostname', join(folder, 'daemon.json'));
    expect(sensor().daemon()).toMatchObject({ state: 'unreadable' });
  });
});
