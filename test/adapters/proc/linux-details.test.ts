import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLinuxDetails } from '../../../src/adapters/proc/linux-details.ts';
import type { StatRead } from '../../../src/adapters/proc/linux-process-table.ts';
import { createLinuxProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import { asNobody, FakeProc } from './fake-proc.ts';

const IO =
  'rchar: 9\nwchar: 9\nsyscr: 9\nsyscw: 9\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 5\n';
const SMAPS = '55d7-7fff ---p 00000000 00:00 0 [rollup]\nRss:  2000 kB\nPss:   1500 kB\nPss_Dirty:  7 kB\n';
const FILES = { cmdline: 'claude\0--resume\0two words\0', io: IO, smaps_rollup: SMAPS };
const IT = { pid: 42, startTicks: 100 };

describe('details of a process', () => {
  let proc: FakeProc;
  let now: number;
  const sensorOf = (root: string) => createLinuxProcessSensor({ procRoot: root, now: () => now });

  beforeEach(() => {
    proc = new FakeProc();
    now = 1_800_000_000_000;
    proc.process(42, { comm: 'claude' }, FILES);
    proc.link('42/cwd', '/home/someone/project');
  });
  afterEach(() => proc.remove());

  test('are its arguments, working directory, storage traffic and share of memory', () => {
    expect(sensorOf(proc.root).details([IT]).get(42)).toEqual({
      ...IT,
      argv: ['claude', '--resume', 'two words'],
      cwd: '/home/someone/project',
      ioBytes: 12_288,
      pssBytes: 1_536_000,
    });
  });

  test('leave out what the caller has no use for', () => {
    const details = sensorOf(proc.root).details([IT], { memory: false, io: false }).get(42);
    expect(details).toEqual({
      ...IT,
      argv: FILES.cmdline.split('\0').slice(0, 3),
      cwd: '/home/someone/project',
    });
  });

  test('S34: leave out what may not be read', () => {
    for (const name of ['cmdline', 'io', 'smaps_rollup']) proc.forbid(`42/${name}`);
    proc.delete('42/cwd');
    expect(asNobody(() => sensorOf(proc.root).details([IT]).get(42))).toEqual({ ...IT, argv: [] });
  });

  test('S34: are absent for a process that may not be rechecked', () => {
    proc.forbid('42/stat');
    expect(asNobody(() => sensorOf(proc.root).details([IT])).size).toBe(0);
  });

  test('S6: are absent for a pid that now belongs to another process', () => {
    const sensor = sensorOf(proc.root);
    expect(sensor.details([IT]).size).toBe(1);
    proc.process(42, { comm: 'claude', startTicks: 101 });
    expect(sensor.details([IT]).size).toBe(0);
    expect(sensor.details([{ pid: 42, startTicks: 101 }]).size).toBe(1);
    expect(sensor.details([{ pid: 4242, startTicks: 101 }]).size).toBe(0);
  });

  describe('of one that the newest table shows unchanged', () => {
    const cheap = { io: false } as const;
    const settled = { comm: 'claude', startStack: 7000 };

    test('are told without a read, for a minute', () => {
      proc.process(42, settled, FILES);
      const sensor = sensorOf(proc.root);
      sensor.sense();
      const first = sensor.details([IT], cheap).get(42);
      for (const name of ['cmdline', 'smaps_rollup', 'cwd']) proc.delete(`42/${name}`);
      now += 900;
      sensor.sense();
      expect(sensor.details([IT], cheap).get(42)).toEqual(first);
      proc.link('42/cwd', '/elsewhere');
      now += 50_000;
      sensor.sense();
      expect(sensor.details([IT], cheap).get(42)).toMatchObject({ argv: first?.argv, cwd: '/elsewhere' });
      now += 10_000;
      sensor.sense();
      expect(sensor.details([IT], cheap).get(42)?.argv).toEqual([]);
    });

    test('without the folder are told for longer than it is kept, and do not have it', () => {
      proc.process(42, settled, FILES);
      const sensor = sensorOf(proc.root);
      const bare = { io: false, memory: false, cwd: false } as const;
      sensor.sense();
      const first = sensor.details([IT], bare).get(42);
      expect(first).toMatchObject({ argv: ['claude', '--resume', 'two words'] });
      expect(first).not.toHaveProperty('cwd');
      expect(sensor.details([IT], cheap).get(42)?.cwd).toBeDefined();
      proc.delete('42/cmdline');
      now += 2_000;
      sensor.sense();
      expect(sensor.details([IT], bare).get(42)).toEqual(first);
    });

    test('are read again after an exec that kept pid, start mark and name', () => {
      proc.process(42, settled, FILES);
      const sensor = sensorOf(proc.root);
      sensor.sense();
      sensor.details([IT], cheap);
      proc.process(42, { ...settled, startStack: 7001 }, { cmdline: 'claude\0--other\0' });
      sensor.sense();
      expect(sensor.details([IT], cheap).get(42)?.argv).toEqual(['claude', '--other']);
    });

    test('S6: are not told of a successor that the table does not show yet', () => {
      proc.process(42, settled, FILES);
      const sensor = sensorOf(proc.root);
      sensor.sense();
      sensor.details([IT], cheap);
      proc.process(42, { ...settled, startTicks: 101 }, { cmdline: 'other\0' });
      expect(sensor.details([{ pid: 42, startTicks: 101 }], cheap).get(42)?.argv).toEqual(['other']);
    });
  });

  test('S6: kept from an earlier process are never told of its successor', () => {
    const sensor = sensorOf(proc.root);
    sensor.details([IT]);
    proc.process(42, { comm: 'claude', startTicks: 101 }, { cmdline: 'claude\0--other\0' });
    expect(sensor.details([{ pid: 42, startTicks: 101 }]).get(42)?.argv).toEqual(['claude', '--other']);
  });

  test('S6: are absent when the pid changes hands while they are read', () => {
    const process = createLinuxProcessSensor({ procRoot: proc.root }).sense().byPid.get(42);
    if (process === undefined) throw new Error('not sensed');
    const answers: StatRead[] = [
      { state: 'read', process },
      { state: 'read', process: { ...process, startTicks: 101 } },
    ];
    const table = {
      senseOne: (): StatRead => answers.shift() ?? { state: 'gone' },
      folder: (pid: number) => join(proc.root, String(pid)),
    };
    const details = createLinuxDetails({ procRoot: proc.root, now: () => now, table });
    expect(details.read([IT], {}).size).toBe(0);
    expect(answers).toEqual([]);
  });

  test('of a kernel thread or zombie have no arguments', () => {
    proc.process(42, { state: 'Z', rssPages: 0 }, { cmdline: '' });
    expect(sensorOf(proc.root).details([IT]).get(42)?.argv).toEqual([]);
  });

  test.each([
    ['claude\0\0\0\0\0\0', ['claude']],
    ['claude -p\0', ['claude -p']],
    ['claude -p', ['claude -p']],
    ['claude\0-p\0\0', ['claude', '-p', '']],
    ['sh\0\0-c\0', ['sh', '', '-c']],
  ])('take the command line %j for %j', (cmdline, argv) => {
    proc.write('42/cmdline', cmdline);
    expect(sensorOf(proc.root).details([IT]).get(42)?.argv).toEqual(argv);
  });

  test('follow an exec: at once when the name changed, within five seconds when not', () => {
    const sensor = sensorOf(proc.root);
    const argv = () => sensor.details([IT]).get(42)?.argv;
    expect(argv()).toEqual(['claude', '--resume', 'two words']);
    proc.write('42/cmdline', 'claude\0--continue\0');
    now += 5_000;
    expect(argv()).toEqual(['claude', '--resume', 'two words']);
    now += 1;
    expect(argv()).toEqual(['claude', '--continue']);
    proc.process(42, { comm: 'bash' }, { cmdline: 'bash\0' });
    expect(argv()).toEqual(['bash']);
  });

  test('never keep the empty command line of a process in the middle of an exec', () => {
    const sensor = sensorOf(proc.root);
    proc.write('42/cmdline', '');
    expect(sensor.details([IT]).get(42)?.argv).toEqual([]);
    proc.write('42/cmdline', 'claude\0');
    expect(sensor.details([IT]).get(42)?.argv).toEqual(['claude']);
  });

  test('read the share of memory again only when memory moved by more than a twentieth, or after five minutes', () => {
    const sensor = sensorOf(proc.root);
    const pss = () => sensor.details([IT]).get(42)?.pssBytes;
    proc.process(42, { comm: 'claude', rssPages: 1000 });
    expect(pss()).toBe(1500 * 1024);
    proc.write('42/smaps_rollup', 'Pss: 1 kB\n');
    proc.process(42, { comm: 'claude', rssPages: 1050 });
    expect(pss()).toBe(1500 * 1024);
    proc.process(42, { comm: 'claude', rssPages: 949 });
    expect(pss()).toBe(1024);
    proc.write('42/smaps_rollup', 'Pss: 2 kB\n');
    now += 300_000;
    expect(pss()).toBe(1024);
    now += 1;
    expect(pss()).toBe(2048);
  });

  test('S26: read again what bears a stamp from the future', () => {
    const sensor = sensorOf(proc.root);
    sensor.details([IT]);
    proc.write('42/cmdline', 'new\0');
    now -= 3_600_000;
    expect(sensor.details([IT]).get(42)?.argv).toEqual(['new']);
  });

  test('read storage traffic and working directory every time', () => {
    const sensor = sensorOf(proc.root);
    sensor.details([IT]);
    proc.write('42/io', 'read_bytes: 1\nwrite_bytes: 2\n');
    proc.delete('42/cwd');
    proc.link('42/cwd', '/elsewhere');
    expect(sensor.details([IT]).get(42)).toMatchObject({ ioBytes: 3, cwd: '/elsewhere' });
  });

  test('are forgotten with the process', () => {
    const sensor = sensorOf(proc.root);
    sensor.details([IT]);
    proc.delete('42/stat');
    sensor.sense();
    proc.process(42, { comm: 'claude' }, { cmdline: 'again\0' });
    expect(sensor.details([IT]).get(42)?.argv).toEqual(['again']);
  });

  test('S57: take a command line of 2 MB whole, and invalid UTF-8 as it comes', () => {
    const words = ['sh', ...Array.from({ length: 20 }, (_, index) => String(index % 10).repeat(104_857))];
    proc.write(
      '42/cmdline',
      Buffer.concat([Buffer.from(`${words.join('\0')}\0`), Buffer.from([0xff, 0xc3, 0])]),
    );
    expect(sensorOf(proc.root).details([IT]).get(42)?.argv).toEqual([...words, '\ufffd\ufffd']);
  });
});
