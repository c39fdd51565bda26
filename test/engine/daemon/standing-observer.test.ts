import { expect, test } from 'vitest';
import type { Round } from '../../../src/core/supervision/round.ts';
import { createStandingObserver } from '../../../src/engine/daemon/standing-observer.ts';
import type { DaemonStanding } from '../../../src/ports/daemon.ts';
import { entry, roll } from '../../cli/render/samples.ts';
import { pressure } from '../../core/supervision/supervision-samples.ts';
import { STANDING } from './supervised.ts';

const round = (number: number, awakeMs: number, changes: Partial<Round> = {}): Round => ({
  ...{
    number,
    now: { at: awakeMs + 500, awakeMs, suspendedMs: 0 },
    roll: roll([entry('a')]),
    pressure: pressure(),
  },
  ...{ reaper: STANDING, changes: [], wokenBy: [], missedHints: 1, nextInMs: 10_000 },
  settle: { mode: 'on', due: [] },
  cost: { wallMs: 12.4, cpuMs: 8.6 },
  ...changes,
});

test('writes down every few seconds how it goes, and counts what was missed meanwhile', () => {
  const saved: DaemonStanding[] = [];
  const observe = createStandingObserver(
    { pid: 7, bootId: 'b' },
    (standing) => {
      saved.push(standing);
      return null;
    },
    () => {},
  );
  for (const [number, at] of [
    [1, 1000],
    [2, 2000],
    [3, 4000],
  ] as const)
    void observe(round(number, at));
  const pending = {
    ...({ key: 'k', name: 'b\u001b', relief: 'long-idle' } as const),
    ...{ decidedAt: 0, dueAt: 9000, memoryBytes: null },
  };
  const breaker = { at: 1, code: 'failed', text: 'a close failed', session: null };
  void observe(
    round(4, 9000, { reaper: { ...STANDING, mode: 'shadow', wanted: 'enforce', pending, breaker } }),
  );
  expect(saved.map(({ rounds, missedHints }) => [rounds, missedHints])).toEqual([
    [1, 1],
    [3, 3],
    [4, 4],
  ]);
  expect(saved[2]).toEqual({
    ...{ format: 1, pid: 7, bootId: 'b', at: 9500, rounds: 4, missedHints: 4, sessions: 1 },
    ...{ nextAt: 19_500, nextAwakeMs: 19_000 },
    ...{ roundMs: 12, roundCpuMs: 9, tier: 'normal' },
    reaper: {
      ...{ mode: 'shadow', wanted: 'enforce', breaker: 'a close failed' },
      pending: { name: 'b\\e', dueAt: 9000 },
    },
    settle: { mode: 'on', servers: null, due: [] },
  });
});

test('a round that may come later than was written is written down at once, so that nobody waits for it in vain', () => {
  const saved: number[] = [];
  const observe = createStandingObserver(
    { pid: 7, bootId: 'b' },
    ({ nextAt }) => {
      saved.push(nextAt);
      return null;
    },
    () => {},
  );
  const waits = [1500, 30_000, 1500, 30_000];
  for (const [index, nextInMs] of waits.entries()) void observe(round(index + 1, 1000 + index, { nextInMs }));
  expect(saved).toEqual([3000, 31_501]);
});

test('S36: what cannot be written is told once, and again after it could', () => {
  const told: string[] = [];
  const answers = ['full', 'full', null, 'full'];
  const observe = createStandingObserver(
    { pid: 7, bootId: 'b' },
    () => answers.shift() ?? null,
    (text) => told.push(text),
  );
  for (let number = 1; number <= 4; number += 1) void observe(round(number, number * 5000));
  expect(told).toEqual(['full', 'full']);
});
