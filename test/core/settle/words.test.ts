import { expect, it } from 'vitest';
import { DUE_STATES } from '../../../src/core/settle/due.ts';
import { SETTLE_EVENTS, SETTLE_MODES } from '../../../src/core/settle/standing.ts';

it('the words that others rely on stay as they are', () => {
  // Their order is what a config file's value is kept as.
  expect(SETTLE_MODES).toEqual(['off', 'shadow', 'on']);
  expect(SETTLE_EVENTS).toEqual(['closed', 'would-close', 'skipped', 'failed']);
  expect(DUE_STATES).toEqual(['due', 'closing', 'failed', 'later', 'working', 'unproven', 'protected']);
});
