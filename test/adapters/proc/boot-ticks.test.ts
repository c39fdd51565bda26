import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readProcessStat } from '../../../src/adapters/lock/process-stat.ts';
import { readBootTicks } from '../../../src/adapters/proc/kernel-units.ts';
import { FakeHost } from '../host/fake-host.ts';
import { statLine } from './fake-proc.ts';

describe('the clock of the boot', () => {
  let host: FakeHost;
  beforeEach(() => {
    host = new FakeHost();
  });
  afterEach(() => host.remove());

  const started = (startTicks: number) => {
    host.write('proc/self/stat', statLine(7, { comm: 'a) b', startTicks }).toString());
    return readBootTicks(host.procRoot);
  };

  test('is past every start until now', () => {
    host.write('proc/uptime', '12.34 99.00\n');
    expect(started(1000)).toBe(1235);
  });

  test('cannot be told where the uptime is not that of the processes, or there is none', () => {
    expect(started(1000)).toBeNull();
    host.write('proc/uptime', '5.00 1.00\n');
    expect(started(1000)).toBeNull();
    host.delete('proc/self');
    expect(readBootTicks(host.procRoot)).toBeNull();
  });

  test.skipIf(process.platform !== 'linux')('is that of the kernel', () => {
    const own = readProcessStat(process.pid)?.startTicks ?? Number.NaN;
    const ticks = readBootTicks('/proc') ?? 0;
    expect(ticks).toBeGreaterThan(own);
    expect(ticks - own).toBeLessThan(100 * 3600);
  });
});
