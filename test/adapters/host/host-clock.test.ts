import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHostSensor } from '../../../src/adapters/host/host-sensor.ts';
import { FakeHost } from './fake-host.ts';

const HOUR_MS = 3_600_000;

describe('the clocks of a machine', () => {
  let host: FakeHost;
  let wallMs: number;
  let awakeMs: number;
  let uptimeMs: number;

  beforeEach(() => {
    host = new FakeHost();
    wallMs = 1_800_000_000_000;
    awakeMs = HOUR_MS;
    uptimeMs = HOUR_MS;
  });
  afterEach(() => host.remove());

  const linux = () => {
    const sensor = createHostSensor({
      platform: 'linux',
      ...host,
      now: () => wallMs,
      awakeNow: () => awakeMs,
    });
    return () => {
      host.write('proc/uptime', `${(uptimeMs / 1000).toFixed(2)} 1905.30\n`);
      return sensor.now();
    };
  };
  const pass = (ms: number) => {
    wallMs += ms;
    awakeMs += ms;
    uptimeMs += ms;
  };

  test('agree on a machine that never slept', () => {
    const now = linux();
    expect(now()).toEqual({ at: wallMs, awakeMs: HOUR_MS, suspendedMs: 0 });
  });

  test('S26: eight hours of suspend pass on the wall clock, not on the awake clock, and are told', () => {
    const now = linux();
    const before = now();
    wallMs += 8 * HOUR_MS;
    uptimeMs += 8 * HOUR_MS;
    pass(1_000);
    const after = now();
    expect(after.at - before.at).toBe(8 * HOUR_MS + 1_000);
    expect(after.awakeMs - before.awakeMs).toBe(1_000);
    expect(after.suspendedMs - before.suspendedMs).toBe(8 * HOUR_MS);
  });

  test('S26: a stepped wall clock is neither time awake nor time asleep', () => {
    const now = linux();
    const before = now();
    wallMs -= 2 * HOUR_MS;
    expect(now()).toEqual({ ...before, at: before.at - 2 * HOUR_MS });
    wallMs += 50 * HOUR_MS;
    expect(now()).toEqual({ ...before, at: before.at + 48 * HOUR_MS });
  });

  test('S26: the coarseness of the uptime is no suspend, and time asleep never shrinks', () => {
    const now = linux();
    uptimeMs = awakeMs + 40;
    expect(now().suspendedMs).toBe(0);
    uptimeMs = awakeMs + 5_000;
    expect(now().suspendedMs).toBe(5_000);
    uptimeMs = awakeMs + 4_990;
    expect(now().suspendedMs).toBe(5_000);
    uptimeMs = awakeMs + 6_000;
    expect(now().suspendedMs).toBe(6_000);
  });

  test('an uptime below the awake clock (a container with an uptime of its own) is no time asleep', () => {
    const now = linux();
    uptimeMs = 60_000;
    expect(now().suspendedMs).toBe(0);
  });

  test.each([null, '', 'nonsense'])('an uptime that reads as %j is no time asleep', (text) => {
    if (text !== null) host.write('proc/uptime', text);
    const sensor = createHostSensor({
      platform: 'linux',
      ...host,
      now: () => wallMs,
      awakeNow: () => awakeMs,
    });
    expect(sensor.now()).toEqual({ at: wallMs, awakeMs, suspendedMs: 0 });
  });

  test.runIf(process.platform === 'linux')('of the real machine run forwards', () => {
    const sensor = createHostSensor();
    const first = sensor.now();
    const second = sensor.now();
    expect(Math.abs(first.at - Date.now())).toBeLessThan(60_000);
    expect(second.awakeMs).toBeGreaterThanOrEqual(first.awakeMs);
    expect(second.suspendedMs).toBeGreaterThanOrEqual(first.suspendedMs);
    expect(first.awakeMs).toBeGreaterThan(process.uptime() * 1000);
  });

  test('S26: on a Mac, where the clock runs during sleep, what the kernel recorded as sleep is taken off', () => {
    const ticksPerMs = 24_000;
    let sleptMs = 0;
    let calls = 0;
    const run = () => {
      calls++;
      const wokeAt = 1_000_000 * ticksPerMs;
      return [
        `machdep.wake_abstime: ${wokeAt}`,
        `machdep.wake_conttime: ${wokeAt + sleptMs * ticksPerMs}`,
        'hw.tbfrequency: 24000000\n',
      ].join('\n');
    };
    const sensor = createHostSensor({ platform: 'darwin', run, now: () => wallMs, awakeNow: () => awakeMs });
    expect(sensor.now()).toEqual({ at: wallMs, awakeMs: HOUR_MS, suspendedMs: 0 });
    pass(1_000);
    sensor.now();
    expect(calls).toBe(1);
    sleptMs = 8 * HOUR_MS;
    pass(8 * HOUR_MS + 1_000);
    expect(sensor.now()).toEqual({ at: wallMs, awakeMs: HOUR_MS + 2_000, suspendedMs: 8 * HOUR_MS });
    expect(calls).toBe(2);
  });

  test.each([
    null,
    '',
    'machdep.wake_abstime: 5\n',
    'machdep.wake_abstime: 5\nmachdep.wake_conttime: 99\nhw.tbfrequency: 0\n',
    'machdep.wake_abstime: 0\nmachdep.wake_conttime: 0\nhw.tbfrequency: 24000000\n',
  ])('on a Mac whose kernel says %j about sleep nothing is taken off', (text) => {
    const sensor = createHostSensor({
      platform: 'darwin',
      run: () => text,
      now: () => wallMs,
      awakeNow: () => awakeMs,
    });
    expect(sensor.now()).toEqual({ at: wallMs, awakeMs, suspendedMs: 0 });
  });
});
