import { mkdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPressureSensor } from '../../../src/adapters/host/pressure-sensor.ts';
import type { Reading, Signal } from '../../../src/core/pressure/reading.ts';
import type { MemoryHolder } from '../../../src/ports/pressure.ts';
import { FakeHost } from './fake-host.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const AT = 1_800_000_000_000;
const NO_LIMIT = '9223372036854771712';
const recorded = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
const SERVER: MemoryHolder = { pid: 812, name: 'tmux server main' };

describe('what a Linux machine says about memory pressure', () => {
  let host: FakeHost;
  const sense = (...holders: MemoryHolder[]) =>
    createPressureSensor({ platform: 'linux', ...host, now: () => AT }).sense(holders);
  const find = (readings: readonly Reading[], signal: Signal, scope = 'host') =>
    readings.find((reading) => reading.signal === signal && reading.scope === scope);

  const group = (path: string, files: Readonly<Record<string, string | number>>) => {
    for (const [name, text] of Object.entries(files)) host.write(`sys/fs/cgroup${path}/${name}`, `${text}\n`);
  };

  beforeEach(() => {
    host = new FakeHost();
    host.write('proc/pressure/memory', recorded('psi-calm.txt'));
    host.write('proc/meminfo', recorded('meminfo-6.18.txt'));
    host.write(
      'proc/self/mountinfo',
      '31 23 0:28 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n',
    );
    host.write('proc/self/cgroup', '0::/\n');
    host.write('proc/812/cgroup', '0::/\n');
  });
  afterEach(() => host.remove());

  describe('as a whole', () => {
    test('is what was recorded on a real one: stalls, available memory, no swap', () => {
      const readings = sense();
      expect(find(readings, 'stall-some')).toEqual({
        ...{ signal: 'stall-some', scope: 'host', holders: [], observedAt: AT, state: 'read', value: 0 },
        averages: [10_000, 60_000, 300_000].map((overMs) => ({ overMs, value: 0 })),
        source: `${host.procRoot}/pressure/memory`,
        note: '0 ms since boot',
      });
      expect(find(readings, 'available')).toMatchObject({
        ...{ state: 'read', value: 22_809_332 * 1024, totalBytes: 24_682_740 * 1024, note: 'MemAvailable' },
      });
      expect(find(readings, 'swap')).toMatchObject({ state: 'absent', text: 'there is none' });
    });

    test('tells stalls with their averages, as recorded while a cgroup was at its limit', () => {
      host.write('proc/pressure/memory', recorded('psi-stalled.txt'));
      const readings = sense();
      expect(find(readings, 'stall-some')).toMatchObject({
        value: 4.35,
        averages: [{ value: 4.35 }, { value: 0.97 }, { value: 0.21 }],
        note: '640 ms since boot',
      });
      expect(find(readings, 'stall-full')).toMatchObject({ value: 0.83 });
    });

    test('S38: never takes free memory for available memory, nor asks for the load', () => {
      host.write('proc/loadavg', '91357.00 800.00 700.00 99/100 5\n');
      host.write(
        'proc/meminfo',
        'MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable: 700 kB\nSwapTotal: 80 kB\nSwapFree: 8 kB\n',
      );
      const readings = sense();
      expect(find(readings, 'available')).toMatchObject({ value: 700 * 1024 });
      expect(find(readings, 'swap')).toMatchObject({ value: 8 * 1024, totalBytes: 80 * 1024 });
      expect(JSON.stringify(readings)).not.toMatch(/loadavg|91357/);
    });

    test('without PSI says so, and the rest is still told', () => {
      host.delete('proc/pressure');
      const readings = sense();
      for (const signal of ['stall-some', 'stall-full'] as const)
        expect(find(readings, signal)).toMatchObject({ state: 'absent', text: 'there is no such file' });
      expect(find(readings, 'available')).toMatchObject({ state: 'read' });
    });

    test.each([
      ['', 'some'],
      ['some avg10=abc avg60=0.00 avg300=0.00 total=0\n', 'some'],
      ['some avg10=0.00 avg60=0.00\n', 'some'],
      ['some avg10=900.00 avg60=0.00 avg300=0.00 total=0\n', 'some'],
      ['some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n', 'full'],
    ])('a PSI file that reads %j is a failure of %s, not a calm', (text, kind) => {
      host.write('proc/pressure/memory', text);
      expect(find(sense(), `stall-${kind as 'some' | 'full'}`)).toMatchObject({
        state: 'failed',
        text: expect.stringContaining('does not say'),
      });
    });

    test('S54: what a garbled file holds is told without its control characters', () => {
      host.write('proc/pressure/memory', '\u001b]0;x\u0007');
      expect(JSON.stringify(sense())).not.toMatch(/\\u001b|\\u0007/);
    });

    test('a file that cannot be read is a failure', () => {
      host.delete('proc/pressure/memory');
      mkdirSync(`${host.procRoot}/pressure/memory`);
      expect(find(sense(), 'stall-some')).toMatchObject({ state: 'failed', text: /EISDIR/ });
    });

    test.each([
      ['', 'failed'],
      [null, 'absent'],
    ])('a meminfo that reads %j leaves the stalls', (text, state) => {
      if (text === null) host.delete('proc/meminfo');
      else host.write('proc/meminfo', text);
      const readings = sense();
      expect(find(readings, 'available')).toMatchObject({ state });
      expect(find(readings, 'swap')).toMatchObject({ state: 'failed' });
      expect(find(readings, 'stall-some')).toMatchObject({ state: 'read' });
    });
  });

  describe('in cgroups', () => {
    const limited = {
      'memory.max': 4 * GIB,
      'memory.current': 3 * GIB,
      'memory.stat': `inactive_file ${GIB}`,
    };
    const events = 'low 0\nhigh 12\nmax 3\noom 2\noom_kill 1';

    test('without any limit is told once for everybody', () => {
      expect(find(sense(SERVER), 'available', 'cgroups')).toMatchObject({
        ...{ state: 'absent', text: 'none of them has a limit', holders: ['rollcall', 'tmux server main'] },
      });
    });

    test('S38: a limit below the memory of the host is told with what is left, stalls and events', () => {
      host.write('proc/812/cgroup', '0::/user.slice/tmux.scope\n');
      group('/user.slice/tmux.scope', { ...limited, 'memory.events.local': events });
      host.write('sys/fs/cgroup/user.slice/tmux.scope/memory.pressure', recorded('psi-stalled.txt'));
      const scope = 'cgroup v2 /user.slice/tmux.scope';
      const readings = sense(SERVER);
      expect(find(readings, 'available', scope)).toMatchObject({
        ...{ state: 'read', value: 2 * GIB, totalBytes: 4 * GIB, holders: ['tmux server main'] },
      });
      expect(find(readings, 'oom', scope)).toMatchObject({
        ...{ state: 'read', value: 2, note: 'low 0, high 12, max 3, oom 2, oom_kill 1' },
      });
      expect(find(readings, 'stall-some', scope)).toMatchObject({ state: 'read', value: 4.35 });
      expect(find(readings, 'available', 'cgroups')).toMatchObject({ holders: ['rollcall'] });
    });

    test('S38: every limit on the way up is told, each once, with all who live below it', () => {
      host.write('proc/self/cgroup', '0::/a/own\n');
      host.write('proc/812/cgroup', '0::/a/b/c\n');
      group('/a', { 'memory.max': 8 * GIB, 'memory.current': 7.5 * GIB });
      group('/a/b', { 'memory.max': 'max', 'memory.current': GIB });
      group('/a/b/c', limited);
      const told = sense(SERVER).filter(({ signal, scope }) => signal === 'available' && scope !== 'host');
      expect(told.map(({ scope, holders }) => [scope, holders])).toEqual([
        ['cgroup v2 /a', ['rollcall', 'tmux server main']],
        ['cgroup v2 /a/b/c', ['tmux server main']],
      ]);
      expect(told[0]).toMatchObject({ value: 0.5 * GIB });
    });

    test.each([NO_LIMIT, 'max', String(900 * GIB), 'nonsense'])(
      'S38: a limit of %s bounds nothing',
      (max) => {
        host.write('proc/812/cgroup', '0::/a\n');
        group('/a', { ...limited, 'memory.max': max });
        expect(find(sense(SERVER), 'available', 'cgroup v2 /a')).toBeUndefined();
      },
    );

    test('events of groups below are taken only where a group has none of its own', () => {
      host.write('proc/812/cgroup', '0::/a\n');
      group('/a', { ...limited, 'memory.events': events });
      expect(find(sense(SERVER), 'oom', 'cgroup v2 /a')).toMatchObject({ value: 2 });
      group('/a', { 'memory.events.local': 'oom 0' });
      expect(find(sense(SERVER), 'oom', 'cgroup v2 /a')).toMatchObject({ value: 0 });
      group('/a', { 'memory.events.local': 'low 0' });
      expect(find(sense(SERVER), 'oom', 'cgroup v2 /a')).toMatchObject({ state: 'absent' });
    });

    test('a group without events and stalls of its own says so', () => {
      host.write('proc/812/cgroup', '0::/a\n');
      group('/a', limited);
      const readings = sense(SERVER);
      for (const signal of ['oom', 'stall-some', 'stall-full'] as const)
        expect(find(readings, signal, 'cgroup v2 /a')).toMatchObject({ state: 'absent' });
    });

    test('where the host records no stalls, the own groups of those who matter do', () => {
      host.delete('proc/pressure');
      host.write('proc/812/cgroup', '0::/a/b\n');
      host.write('sys/fs/cgroup/a/memory.pressure', recorded('psi-calm.txt'));
      host.write('sys/fs/cgroup/a/b/memory.pressure', recorded('psi-stalled.txt'));
      const readings = sense(SERVER);
      expect(find(readings, 'stall-full', 'cgroup v2 /a/b')).toMatchObject({ state: 'read', value: 0.83 });
      expect(find(readings, 'stall-full', 'cgroup v2 /a')).toBeUndefined();
    });

    test('of a process that is gone, or whose pid is another’s now, are not told as its own', () => {
      host.write('proc/812/cgroup', '0::/a\n');
      host.write('proc/812/stat', `812 (tmux: server) S ${'0 '.repeat(18)}4711 0\n`);
      group('/a', limited);
      expect(find(sense({ ...SERVER, startTicks: 4711 }), 'available', 'cgroup v2 /a')).toBeDefined();
      const stranger = sense({ ...SERVER, startTicks: 4712 });
      expect(find(stranger, 'available', 'cgroup v2 /a')).toBeUndefined();
      const ended = { state: 'absent', text: 'it has ended' };
      expect(find(stranger, 'available', 'cgroups of tmux server main')).toMatchObject(ended);
      host.delete('proc/812');
      const gone = sense({ ...SERVER, startTicks: 4711 });
      expect(find(gone, 'available', 'cgroups of tmux server main')).toMatchObject(ended);
    });

    test('of a process that lives and cannot be read, or was never seen here, are not known', () => {
      const unknown = { state: 'failed', text: 'they cannot be read' };
      host.delete('proc/812');
      expect(find(sense(SERVER), 'available', 'cgroups of tmux server main')).toMatchObject(unknown);
      host.write('proc/812/stat', `812 (tmux: server) S ${'0 '.repeat(18)}4711 0\n`);
      const living = sense({ ...SERVER, startTicks: 4711 });
      expect(find(living, 'available', 'cgroups of tmux server main')).toMatchObject(unknown);
    });

    test('a group that is mounted twice is told once, by the mount that can be read', () => {
      const second = '51 23 0:28 / /mnt/cgroup rw - cgroup2 cgroup2 rw';
      const first = '31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw';
      host.write('proc/812/cgroup', '0::/a\n');
      group('/a', limited);
      for (const mounts of [`${first}\n${second}\n`, `${second}\n${first}\n`]) {
        host.write('proc/self/mountinfo', mounts);
        const told = sense(SERVER).filter(({ scope }) => scope === 'cgroup v2 /a');
        expect(told.map(({ signal }) => signal)).toEqual(['available', 'oom', 'stall-some', 'stall-full']);
        expect(told[0]).toMatchObject({ state: 'read', holders: ['tmux server main'] });
      }
    });

    test('two servers of one name are told apart by whoever names them, and share a group', () => {
      host.write('proc/812/cgroup', '0::/a\n');
      host.write('proc/813/cgroup', '0::/a\n');
      group('/a', limited);
      const readings = sense(SERVER, { pid: 813, name: 'tmux server other' });
      expect(find(readings, 'oom', 'cgroup v2 /a')?.holders).toEqual([
        'tmux server main',
        'tmux server other',
      ]);
    });

    describe('of version 1, as recorded on a hybrid machine', () => {
      beforeEach(() => {
        host.write('proc/self/mountinfo', recorded('mountinfo-hybrid.txt'));
        host.write('proc/self/cgroup', recorded('cgroup-hybrid.txt'));
        host.write('proc/812/cgroup', recorded('cgroup-hybrid.txt'));
        host.write('sys/fs/cgroup/unified/memory.pressure', recorded('psi-stalled.txt'));
        group('/memory', { 'memory.limit_in_bytes': NO_LIMIT, 'memory.usage_in_bytes': GIB });
        group('/memory/pod', { 'memory.limit_in_bytes': NO_LIMIT, 'memory.usage_in_bytes': GIB });
      });

      test('S38: cache that is in use counts as available, kills are counted', () => {
        group('/memory/pod/box', { 'memory.limit_in_bytes': 64 * MIB, 'memory.usage_in_bytes': 64_016_384 });
        host.write('sys/fs/cgroup/memory/pod/box/memory.stat', recorded('cgroup-v1-memory.stat.txt'));
        host.write('sys/fs/cgroup/memory/pod/box/memory.oom_control', recorded('cgroup-v1-oom-control.txt'));
        const readings = sense(SERVER);
        const scope = 'cgroup v1 /pod/box';
        expect(find(readings, 'available', scope)).toMatchObject({
          ...{ value: 64 * MIB - 64_016_384 + 8192 + 14_999_552, totalBytes: 64 * MIB },
        });
        expect(find(readings, 'oom', scope)).toMatchObject({
          ...{ value: 2, note: 'oom_kill_disable 0, under_oom 0, oom_kill 2' },
        });
        expect(find(readings, 'stall-some', scope)).toBeUndefined();
      });

      test('stalls of the unified part are used where the host has none', () => {
        host.delete('proc/pressure');
        expect(find(sense(SERVER), 'stall-some', 'cgroup v2 /')).toMatchObject({ value: 4.35 });
      });
    });
  });

  test.runIf(process.platform === 'linux')(
    'of the real machine is believable, with this very process',
    () => {
      const readings = createPressureSensor().sense([{ pid: process.pid, name: 'this test' }]);
      expect(find(readings, 'available')).toMatchObject({ state: 'read' });
      expect(new Set(readings.map(({ signal, scope }) => `${signal} ${scope}`)).size).toBe(readings.length);
    },
  );
});

// Not verified on a real Mac: the outputs are those of its documentation.
describe('what a Mac says about memory pressure', () => {
  const sense = (answers: Readonly<Record<string, string>>) =>
    createPressureSensor({
      platform: 'darwin',
      now: () => AT,
      run: (program, args) => answers[[program, ...args].join(' ')] ?? null,
    }).sense([SERVER]);
  const ANSWERS = {
    '/usr/sbin/sysctl -n kern.memorystatus_vm_pressure_level': '2\n',
    '/usr/sbin/sysctl -n vm.swapusage': 'total = 2048.00M  used = 1023.25M  free = 1024.75M  (encrypted)\n',
    '/usr/sbin/sysctl -n hw.memsize': `${16 * GIB}\n`,
    '/usr/bin/vm_stat': recorded('vm-stat-apple-silicon.txt'),
  };

  test('S38: is its own level, with what is available and the swap beside it', () => {
    const base = { scope: 'host', holders: [], observedAt: AT };
    expect(sense(ANSWERS)).toEqual([
      {
        ...{ ...base, signal: 'os-level', state: 'read', value: 2 },
        source: 'sysctl kern.memorystatus_vm_pressure_level',
      },
      {
        ...{ ...base, signal: 'available', source: 'vm_stat', state: 'read' },
        ...{ value: 335_000 * 16_384, totalBytes: 16 * GIB },
      },
      {
        ...{ ...base, signal: 'swap', source: 'sysctl vm.swapusage', state: 'read' },
        ...{ value: 1024.75 * MIB, totalBytes: 2048 * MIB },
      },
    ]);
  });

  test.each(['', '0\n', '3\n', 'sysctl: unknown oid\n'])('a level that reads %j is a failure', (text) => {
    const readings = sense({ ...ANSWERS, '/usr/sbin/sysctl -n kern.memorystatus_vm_pressure_level': text });
    expect(readings[0]).toMatchObject({ signal: 'os-level', state: 'failed' });
    expect(readings[1]).toMatchObject({ signal: 'available', state: 'read' });
  });

  test('without any answer says so', () => {
    expect(sense({}).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    const unused = 'total = 0.00M  used = 0.00M  free = 0.00M  (encrypted)\n';
    expect(sense({ ...ANSWERS, '/usr/sbin/sysctl -n vm.swapusage': unused })[2]).toMatchObject({
      state: 'absent',
    });
  });
});
