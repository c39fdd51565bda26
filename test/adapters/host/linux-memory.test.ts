import { totalmem } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHostSensor } from '../../../src/adapters/host/host-sensor.ts';
import { FakeHost } from './fake-host.ts';

const GIB = 1024 ** 3;
const kb = (gibibytes: number) => Math.round((gibibytes * GIB) / 1024);
const MEMINFO = [
  `MemTotal:       ${kb(64)} kB`,
  `MemFree:        ${kb(1)} kB`,
  `MemAvailable:   ${kb(40)} kB`,
  `Buffers:        ${kb(0.5)} kB`,
  `Cached:         ${kb(38)} kB`,
  `Shmem:          ${kb(2)} kB`,
  `SReclaimable:   ${kb(1)} kB`,
];

const V2_MOUNT = '31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate';
const NO_LIMIT_V1 = '9223372036854771712';

describe('memory of a Linux machine', () => {
  let host: FakeHost;
  const memory = () => createHostSensor({ platform: 'linux', ...host }).memory();

  const v2 = (path: string, max: string, current: number, inactiveFile = 0, activeFile = 0) => {
    host.write(`sys/fs/cgroup${path}/memory.max`, `${max}\n`);
    host.write(`sys/fs/cgroup${path}/memory.current`, `${current}\n`);
    host.write(
      `sys/fs/cgroup${path}/memory.stat`,
      `anon 1\nfile 9\ninactive_file ${inactiveFile}\nactive_file ${activeFile}\n`,
    );
  };
  const v1 = (path: string, limit: string, usage: number, stat = '') => {
    host.write(`sys/fs/cgroup/memory${path}/memory.limit_in_bytes`, `${limit}\n`);
    host.write(`sys/fs/cgroup/memory${path}/memory.usage_in_bytes`, `${usage}\n`);
    host.write(`sys/fs/cgroup/memory${path}/memory.stat`, stat);
  };

  beforeEach(() => {
    host = new FakeHost();
    host.write('proc/meminfo', `${MEMINFO.join('\n')}\n`);
    host.write('proc/self/mountinfo', `${V2_MOUNT}\n`);
    host.write('proc/self/cgroup', '0::/\n');
  });
  afterEach(() => host.remove());

  test('S38: is MemAvailable, never MemFree', () => {
    expect(memory()).toEqual({ totalBytes: 64 * GIB, availableBytes: 40 * GIB, source: 'MemAvailable' });
  });

  test('S38: of a kernel without MemAvailable is estimated from cache that can be given back, and says so', () => {
    host.write('proc/meminfo', `${MEMINFO.filter((line) => !line.startsWith('MemAvailable')).join('\n')}\n`);
    expect(memory()).toEqual({
      totalBytes: 64 * GIB,
      availableBytes: 38.5 * GIB,
      source: 'MemFree and cache (estimate)',
    });
  });

  test.each(['', 'MemTotal: 5 kB\n', 'MemAvailable: 5 kB\n'])('is unknown when meminfo reads %j', (text) => {
    host.write('proc/meminfo', text);
    expect(memory()).toBeNull();
  });

  test('is unknown when nothing can be read', () => {
    host.delete('proc');
    expect(memory()).toBeNull();
  });

  test('S38: a load average is never looked at', () => {
    host.write('proc/loadavg', '900.00 800.00 700.00 99/100 5\n');
    host.write('proc/pressure/cpu', 'some avg10=99.00 avg60=99.00 avg300=99.00 total=1\n');
    expect(memory()?.availableBytes).toBe(40 * GIB);
  });

  test('S38: a cgroup limit below host memory bounds it; cache of the group counts as available', () => {
    host.write('proc/self/cgroup', '0::/user.slice/box.scope\n');
    v2('/user.slice/box.scope', String(4 * GIB), 3 * GIB, GIB);
    expect(memory()).toEqual({ totalBytes: 4 * GIB, availableBytes: 2 * GIB, source: 'cgroup v2' });
  });

  test('S38: a group full of cache that is in use is not short of memory', () => {
    host.write('proc/self/cgroup', '0::/a\n');
    v2('/a', String(4 * GIB), 4 * GIB, GIB, 2 * GIB);
    expect(memory()).toMatchObject({ availableBytes: 3 * GIB, source: 'cgroup v2' });
  });

  test('S38: a bound above which a group is throttled counts as its limit', () => {
    host.write('proc/self/cgroup', '0::/a\n');
    v2('/a', 'max', GIB);
    host.write('sys/fs/cgroup/a/memory.high', `${2 * GIB}\n`);
    expect(memory()).toEqual({ totalBytes: 2 * GIB, availableBytes: GIB, source: 'cgroup v2' });
    v2('/a', String(1.5 * GIB), GIB);
    expect(memory()).toMatchObject({ totalBytes: 1.5 * GIB });
  });

  test('S38: the tightest of all groups above counts, not the nearest', () => {
    host.write('proc/self/cgroup', '0::/a/b/c\n');
    v2('/a/b/c', String(8 * GIB), GIB);
    v2('/a/b', 'max', 20 * GIB);
    v2('/a', String(21 * GIB), 20 * GIB);
    expect(memory()).toEqual({ totalBytes: 21 * GIB, availableBytes: GIB, source: 'cgroup v2' });
  });

  test('S38: a host shorter of memory than the group wins', () => {
    host.write('proc/meminfo', `MemTotal: ${kb(64)} kB\nMemAvailable: ${kb(1)} kB\n`);
    host.write('proc/self/cgroup', '0::/a\n');
    v2('/a', String(8 * GIB), 4 * GIB);
    expect(memory()).toMatchObject({ availableBytes: GIB, source: 'MemAvailable' });
  });

  test('S38: a group over its limit has nothing left', () => {
    host.write('proc/self/cgroup', '0::/a\n');
    v2('/a', String(GIB), 2 * GIB);
    expect(memory()).toMatchObject({ availableBytes: 0, source: 'cgroup v2' });
  });

  test('S38: a container that sees its own group as the root is bounded by it', () => {
    v2('', String(2 * GIB), GIB);
    expect(memory()).toMatchObject({ totalBytes: 2 * GIB, source: 'cgroup v2' });
    host.write('sys/other/memory.max', '1\n');
    host.write('sys/other/memory.current', '1\n');
    host.write('proc/self/cgroup', '0::/../../other\n');
    expect(memory()).toMatchObject({ totalBytes: 2 * GIB, source: 'cgroup v2' });
  });

  test.each(['max', NO_LIMIT_V1, String(65 * GIB), '', 'nonsense'])(
    'S38: a limit of %j bounds nothing',
    (limit) => {
      host.write('proc/self/cgroup', '0::/a\n');
      v2('/a', limit, 63 * GIB);
      expect(memory()?.source).toBe('MemAvailable');
    },
  );

  test('S38: a group counts also where the memory of the host is masked, unless it has no limit', () => {
    host.delete('proc/meminfo');
    host.write('proc/self/cgroup', '0::/a\n');
    v2('/a', String(4 * GIB), GIB);
    expect(memory()).toMatchObject({ totalBytes: 4 * GIB, source: 'cgroup v2' });
    v2('/a', NO_LIMIT_V1, GIB);
    expect(memory()).toBeNull();
  });

  test('S38: a limit without a readable usage says nothing', () => {
    host.write('proc/self/cgroup', '0::/a\n');
    v2('/a', String(GIB), 0);
    host.delete('sys/fs/cgroup/a/memory.current');
    expect(memory()?.source).toBe('MemAvailable');
  });

  describe('in a hybrid layout', () => {
    beforeEach(() => {
      const mounts = [
        '32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu',
        '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
        '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
      ];
      host.write('proc/self/mountinfo', `${mounts.join('\n')}\n`);
      host.write('proc/self/cgroup', '9:name=systemd:/\n4:memory:/pod/box\n1:cpu,cpuacct:/\n0::/\n');
      v1('', NO_LIMIT_V1, 30 * GIB);
      v1('/pod', NO_LIMIT_V1, 5 * GIB);
    });

    test('S38: the memory line of v1 is found among all lines', () => {
      v1('/pod/box', String(3 * GIB), 2 * GIB, `cache 5\ninactive_file 7\ntotal_inactive_file ${GIB / 2}\n`);
      expect(memory()).toEqual({ totalBytes: 3 * GIB, availableBytes: 1.5 * GIB, source: 'cgroup v1' });
    });

    test('S38: without any limit the host counts', () => {
      v1('/pod/box', NO_LIMIT_V1, 2 * GIB, 'hierarchical_memory_limit 9223372036854771712\n');
      expect(memory()?.source).toBe('MemAvailable');
    });

    test('S38: a limit of a group out of sight is known through the hierarchy', () => {
      v1('/pod/box', NO_LIMIT_V1, 2 * GIB, `hierarchical_memory_limit ${3 * GIB}\ntotal_inactive_file 0\n`);
      expect(memory()).toEqual({ totalBytes: 3 * GIB, availableBytes: GIB, source: 'cgroup v1' });
    });

    test('S38: a container whose own group is mounted as the root finds it there', () => {
      const mount = '35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory';
      host.write('proc/self/mountinfo', `${mount}\n`);
      host.write('proc/self/cgroup', '4:memory:/docker/abc/inner\n');
      v1('', String(6 * GIB), GIB);
      v1('/inner', String(2 * GIB), GIB);
      expect(memory()).toMatchObject({ totalBytes: 2 * GIB, source: 'cgroup v1' });
      host.write('proc/self/cgroup', '4:memory:/elsewhere/inner\n');
      expect(memory()).toMatchObject({ totalBytes: 6 * GIB, source: 'cgroup v1' });
    });
  });

  test('S38: without a mount table the usual places are looked at', () => {
    host.delete('proc/self/mountinfo');
    host.write('proc/self/cgroup', '4:memory:/a\n0::/a\n');
    v2('/a', String(4 * GIB), GIB);
    expect(memory()).toMatchObject({ source: 'cgroup v2' });
    v1('/a', String(2 * GIB), GIB);
    expect(memory()).toMatchObject({ source: 'cgroup v1' });
  });

  test.runIf(process.platform === 'linux')('of the real machine is believable', () => {
    const real = createHostSensor().memory();
    expect(real?.availableBytes).toBeGreaterThan(0);
    expect(real?.availableBytes).toBeLessThan(real?.totalBytes ?? 0);
    expect(real?.totalBytes).toBeLessThanOrEqual(totalmem());
  });
});
