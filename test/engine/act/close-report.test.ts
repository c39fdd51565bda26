import { expect, it } from 'vitest';
import type { CloseResult } from '../../../src/engine/act/close/order.ts';
import { reportOn } from '../../../src/engine/act/close/report.ts';
import { entry } from '../../core/close/entry.ts';

const stopped = { text: 'why', rungs: [] } as const;
const RESULTS: readonly CloseResult[] = [
  { state: 'aborted', ...stopped, hint: null },
  { state: 'failed', ...stopped, hint: null },
  { state: 'timed-out', ...stopped, blockers: [] },
];

it.each(RESULTS)('of a close that ended an agent and then stopped names its receipt: $state', (result) => {
  const receipt = { receipt: 'r1', result: 'partial' };
  const plain = reportOn(entry([]), result, 0);
  expect(plain).toMatchObject({ receipt: null, hint: expect.stringMatching(/^it still stands/) });
  const report = reportOn(entry([]), { ...result, receipt } as CloseResult, 0);
  expect(report).toMatchObject({ receipt, hint: `${plain.hint}; what was ended: rollcall reopen r1` });
  expect(report.exitCode).toBe(plain.exitCode);
});
