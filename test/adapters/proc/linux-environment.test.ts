import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLinuxProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import { FakeProc } from './fake-proc.ts';

let proc: FakeProc;
beforeEach(() => {
  proc = new FakeProc();
});
afterEach(() => proc.remove());

test('an environment is whole also where it is the first thing that is read', () => {
  proc.process(42, { comm: 'node', startTicks: 7 }, { environ: 'HOME=/home/me\0PATH=/bin\0' });
  const sensor = createLinuxProcessSensor({ procRoot: proc.root });
  expect(sensor.environment({ pid: 42, startTicks: 7 })).toEqual({ HOME: '/home/me', PATH: '/bin' });
});

test('an environment is not that of another process which got the number', () => {
  proc.process(42, { comm: 'node', startTicks: 8 }, { environ: 'HOME=/home/me\0' });
  const sensor = createLinuxProcessSensor({ procRoot: proc.root });
  expect(sensor.environment({ pid: 42, startTicks: 7 })).toBeNull();
});
