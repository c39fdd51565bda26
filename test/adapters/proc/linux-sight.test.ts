import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLinuxSight } from '../../../src/adapters/proc/linux-sight.ts';
import { createLinuxProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import { FakeProc } from './fake-proc.ts';

const OURS = '1 0 8:1 / / rw - ext4 /dev/vda rw\n';
const COPY = '11 10 8:1 / / rw - ext4 /dev/vda rw\n';
const COVERED = `${COPY}12 11 0:50 / /work rw - tmpfs none rw\n`;
const IT = { pid: 42, startTicks: 100 };

describe('paths of another process', () => {
  let proc: FakeProc;
  const sensor = () => createLinuxProcessSensor({ procRoot: proc.root });
  const sight = () => createLinuxSight(proc.root);
  const details = () => sensor().details([IT]).get(42);
  const other = (...paths: string[]) => sensor().otherPath(IT, () => paths);

  beforeEach(() => {
    proc = new FakeProc();
    proc.process(42, {}, { mountinfo: COPY, cmdline: 'agent\0' });
    proc.write('self/mountinfo', OURS);
    mkdirSync(join(proc.root, 'self/ns'));
    mkdirSync(join(proc.root, '42/ns'));
    proc.link('self/ns/mnt', 'mnt:[1]');
    proc.link('42/cwd', '/work');
  });
  afterEach(() => proc.remove());

  /** How its links read; none where the kernel hides them. */
  const shown = (namespace: string, root = '/') => {
    for (const path of ['42/ns/mnt', '42/root']) proc.delete(path);
    proc.link('42/ns/mnt', namespace);
    proc.link('42/root', root);
  };

  test('are the same with the same mounts and root, whatever its table says', () => {
    shown('mnt:[1]');
    proc.write('42/mountinfo', COVERED);
    expect(details()).toMatchObject({ cwd: '/work' });
    expect(other('/work')).toBeNull();
  });

  test('are asked about again after a second, and at once for another process', () => {
    let now = 1_000_000;
    const { otherPath } = createLinuxProcessSensor({ procRoot: proc.root, now: () => now });
    const at = (startTicks: number) => otherPath({ pid: 42, startTicks }, () => ['/work']);
    shown('mnt:[1]');
    expect(at(100)).toBeNull();
    shown('mnt:[2]');
    proc.write('42/mountinfo', COVERED);
    expect(at(101)).toBe('/work');
    now += 1001;
    expect(at(100)).toBe('/work');
  });

  test('are the same in a copy of the mounts', () => {
    shown('mnt:[2]');
    expect(details()).toMatchObject({ cwd: '/work' });
    expect(other('/work', '/home')).toBeNull();
  });

  test('are others where something else is mounted there', () => {
    shown('mnt:[2]');
    proc.write('42/mountinfo', COVERED);
    expect(details()).toMatchObject({ unseen: 'elsewhere' });
    expect(details()).not.toHaveProperty('cwd');
    expect(other('/home', '/work/talk.jsonl')).toBe('/work/talk.jsonl');
  });

  test('are others behind a link that leads there', () => {
    shown('mnt:[2]');
    const link = join(proc.root, 'link');
    symlinkSync('/usr', link);
    proc.write('42/mountinfo', `${COPY}12 11 0:50 / /usr rw - tmpfs none rw\n`);
    expect(other(link)).toBe(link);
  });

  test('with another root: its folder is told as it is called here, what it calls by itself is not', () => {
    shown('mnt:[1]', '/srv/box');
    expect(details()).toMatchObject({ cwd: '/work' });
    expect(other('/home')).toBe('/home');
  });

  test('with another root in other mounts, none is known', () => {
    shown('mnt:[2]', '/srv/box');
    expect(details()).toMatchObject({ unseen: 'elsewhere' });
  });

  test('are hidden where nothing tells of its mounts, unless it has ended', () => {
    proc.delete('42/cwd');
    expect(details()).toMatchObject({ unseen: 'hidden' });
    expect(other('/home')).toBe('/home');
    proc.process(42, { state: 'Z' });
    expect(details()).not.toHaveProperty('unseen');
  });

  test('are the same where it hides its links, and its root is the mount that is the root here', () => {
    proc.delete('42/cwd');
    proc.write('42/mountinfo', OURS);
    expect(details()).not.toHaveProperty('unseen');
    expect(other('/home')).toBeNull();
  });

  test('are hidden where its namespace is told and its folder is not', () => {
    shown('mnt:[2]');
    expect(sight().folder(42, null)).toBe('hidden');
  });

  test('are the same where the kernel does not tell of rollcall itself', () => {
    proc.delete('self/ns/mnt');
    shown('mnt:[2]');
    proc.write('42/mountinfo', COVERED);
    expect(details()).toMatchObject({ cwd: '/work' });
    expect([other('/work'), sensor().standsAt(IT, '/work')]).toEqual([null, true]);
  });

  test('a folder on a mount that may give no answer is not held', () => {
    shown('mnt:[1]');
    expect(sensor().standsAt(IT, '/work')).toBe(false);
    proc.write('self/mountinfo', '1 0 8:1 / / rw - nfs4 server:/ rw\n');
    expect(sensor().standsAt(IT, '/work')).toBe(true);
    proc.write('self/mountinfo', '');
    expect(sensor().standsAt(IT, '/work')).toBe(false);
  });
});

describe('a folder that a process works in', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'sight-'));
    mkdirSync(join(folder, 'work'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test.skipIf(process.platform !== 'linux')('stands at its path', () => {
    const child = spawn('sleep', ['1000'], { cwd: join(folder, 'work'), stdio: 'ignore' });
    try {
      const seen = { pid: child.pid ?? 0, startTicks: 0 };
      expect(createLinuxProcessSensor().standsAt(seen, join(folder, 'work'))).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
