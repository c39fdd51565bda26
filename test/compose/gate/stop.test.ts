import { expect, test } from 'vitest';
import { latencyOf } from '../../../src/compose/gate/stop-parts.ts';

test('how long a hook has waited is told by the name of its event', () => {
  expect(latencyOf('0000000000012345.0000000001.1.0', 123.62)).toBe(170);
  expect(latencyOf('0000000000012345.0000000001.1.0', 123.45)).toBe(0);
  // Of another boot, without an uptime, or not named by a hook: nobody knows.
  expect(latencyOf('0000000000012345.0000000001.1.0', 100)).toBeNull();
  expect(latencyOf('0000000000000000.0000000001.1.0', 123.62)).toBeNull();
  expect(latencyOf('0000000000012345.0000000001.1.0', null)).toBeNull();
  expect(latencyOf('123.x', 123.62)).toBeNull();
});
