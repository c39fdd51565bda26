import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLinuxProcessTable } from '../../../src/adapters/proc/linux-process-table.ts';
import { lacksOwn } from '../../../src/core/sight/process.ts';
import { asNobody, FakeProc, statLine } from './fake-proc.ts';

describe('one pass over the process table', () => {
  let proc: FakeProc;
  let now: number;
  const tableOf = (procRoot: string) =>
    createLinuxProcessTable({ procRoot, now: () => now, units: { ticksPerSecond: 100, pageBytes: 4096 } });

  beforeEach(() => {
    proc = new FakeProc();
    now = 1_800_000_000_000;
  });
  afterEach(() => proc.remove());

  test('has every process and takes other names of /proc for none', () => {
    proc.process(42, { comm: 'bash' });
    proc.write('4d/stat', 'nothing');
    proc.write('NaN/stat', statLine(5));
    const table = tableOf(proc.root).sense();
    expect([...table.byPid.keys()].sort((a, b) => a - b)).toEqual([1, 42]);
    expect(table).toMatchObject({ isComplete: true, observedAt: now });
    expect(table).not.toHaveProperty('problem');
  });

  test('dates a start from the boot time of this very pass, for the clock may have been stepped', () => {
    proc.process(42, { startTicks: 250 });
    const table = tableOf(proc.root);
    expect(table.sense().byPid.get(42)?.startedAt).toBe(1_700_000_002_500);
    proc.write('stat', 'btime 1700003600\n');
    expect(table.sense().byPid.get(42)?.startedAt).toBe(1_700_003_602_500);
  });

  test('finds the boot time behind an interrupt line of any length', () => {
    proc.write('stat', `cpu 1\nintr ${'0 '.repeat(200_000)}\nbtime 1700000007\n`);
    proc.process(42, { startTicks: 0 });
    expect(tableOf(proc.root).sense().byPid.get(42)?.startedAt).toBe(1_700_000_007_000);
  });

  test('S34: an unreadable process table is incomplete and says why', () => {
    expect(tableOf(join(proc.root, 'missing')).sense()).toMatchObject({
      isComplete: false,
      problem: 'the process table is unreadable: ENOENT',
    });
    proc.forbid('.');
    const table = asNobody(() => tableOf(proc.root).sense());
    expect(table).toMatchObject({ isComplete: false, problem: 'the process table is unreadable: EACCES' });
    expect(table.byPid.size).toBe(0);
    expect(lacksOwn(table)).toBe(true);
  });

  test('S34: a process that vanished meanwhile is left out and hides nothing', () => {
    mkdirSync(join(proc.root, '77'));
    proc.process(78, {}, {});
    proc.write('78/stat', '');
    const table = tableOf(proc.root).sense();
    expect([...table.byPid.keys()]).toEqual([1]);
    expect(table.isComplete).toBe(true);
  });

  test('S34: a process that may not be read makes the table incomplete, the others stay in it', () => {
    proc.process(42);
    proc.process(43);
    proc.process(44);
    proc.forbid('42/stat');
    proc.forbid('43/stat');
    const table = asNobody(() => tableOf(proc.root).sense());
    expect([...table.byPid.keys()].sort((a, b) => a - b)).toEqual([1, 44]);
    expect(table).toMatchObject({
      isComplete: false,
      problem: 'processes that could not be read: 2 (EACCES)',
    });
    expect(lacksOwn(table)).toBe(false);
  });

  test('S34: a line that is not understood makes the table incomplete', () => {
    proc.write('42/stat', 'nonsense');
    const table = tableOf(proc.root).sense();
    expect(table).toMatchObject({
      isComplete: false,
      problem: 'processes that could not be read: 1 (garbled)',
    });
    // It may be anybody's.
    expect(lacksOwn(table)).toBe(true);
  });

  test('S34: a table without process 1 is incomplete', () => {
    proc.delete('1');
    expect(tableOf(proc.root).sense()).toMatchObject({
      isComplete: false,
      problem: 'process 1 is not visible, so others may be hidden too',
    });
  });

  test.each([
    'hidepid=1',
    'hidepid=2',
    'hidepid=4',
    'hidepid=invisible',
    'hidepid=noaccess',
    'hidepid=ptraceable',
  ])('S34: a mount with %s makes the table incomplete', (option) => {
    proc.mounts(`sysfs /sys sysfs rw 0 0\nproc /proc proc rw,nosuid,${option},gid=27 0 0\n`);
    expect(tableOf(proc.root).sense()).toMatchObject({
      isComplete: false,
      problem: `/proc is mounted with ${option}: processes of others may be hidden`,
    });
  });

  test.each([
    'proc /proc proc rw,hidepid=0 0 0',
    'proc /proc proc rw,hidepid=off,gid=0 0 0',
    'proc /proc proc rw,hidepid=2 0 0\nproc /proc proc rw 0 0',
    'proc /proc proc rw 0 0\nproc /chroot/proc proc rw,hidepid=2 0 0',
  ])('S34: a mount table like %j hides nothing', (mounts) => {
    proc.mounts(`${mounts}\n`);
    expect(tableOf(proc.root).sense().isComplete).toBe(true);
  });

  test.each([
    [process.pid, true],
    [process.pid + 1, false],
  ])('S34: a /proc in which this process is %i is whole: %s', (pid, isComplete) => {
    proc.delete('self');
    proc.write(`${pid}/mounts`, 'proc /proc proc rw 0 0\n');
    proc.process(pid);
    proc.link('self', String(pid));
    expect(tableOf(proc.root).sense().isComplete).toBe(isComplete);
  });

  test('S34: another file system over /proc does not take hidepid back', () => {
    proc.mounts('proc /proc proc rw,hidepid=2 0 0\ntmpfs /proc tmpfs rw 0 0\n');
    expect(tableOf(proc.root).sense().isComplete).toBe(false);
  });

  test('S34: without a mount table nothing vouches for completeness', () => {
    proc.delete('self');
    expect(tableOf(proc.root).sense()).toMatchObject({ isComplete: false });
    proc.write('mounts', 'proc /proc proc rw 0 0\n');
    expect(tableOf(proc.root).sense()).toMatchObject({ isComplete: true });
  });

  test('S34: a remount is noticed within a minute, and at once after the clock was stepped back', () => {
    const table = tableOf(proc.root);
    expect(table.sense().isComplete).toBe(true);
    proc.mounts('proc /proc proc rw,hidepid=2 0 0\n');
    now += 60_001;
    expect(table.sense().isComplete).toBe(false);
    proc.mounts('proc /proc proc rw 0 0\n');
    now -= 1;
    expect(table.sense().isComplete).toBe(true);
  });
});
