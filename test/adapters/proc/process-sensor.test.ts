import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProcessSensor } from '../../../src/adapters/proc/process-sensor.ts';
import { FakeProc } from './fake-proc.ts';

let proc: FakeProc;
beforeEach(() => {
  proc = new FakeProc();
});
afterEach(() => proc.remove());

test('Linux is read through /proc', () => {
  const sensor = createProcessSensor({ platform: 'linux', procRoot: proc.root, now: () => 5 });
  expect(sensor.sense()).toMatchObject({ observedAt: 5, isComplete: true });
});

test('macOS is read through ps, and /proc is never looked at', () => {
  const beyondAnyPid = 2 ** 30;
  proc.process(beyondAnyPid);
  expect(
    createProcessSensor({ platform: 'linux', procRoot: proc.root }).sense().byPid.has(beyondAnyPid),
  ).toBe(true);
  const table = createProcessSensor({ platform: 'darwin', procRoot: proc.root, now: () => 5 }).sense();
  expect(table.observedAt).toBe(5);
  expect(table.byPid.has(beyondAnyPid)).toBe(false);
});
