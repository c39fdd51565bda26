import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgePressure } from '../../../src/core/pressure/judge-pressure.ts';
import type { Reading } from '../../../src/core/pressure/reading.ts';
import { TIERS } from '../../../src/core/pressure/tier.ts';
import { available, counted, POLICY, SECOND, silent, stall, systemLevel, Watcher } from './readings.ts';

// How bad each signal is, from 0 to 1; null where it cannot be read.
const badness = fc.option(fc.float({ min: 0, max: 1, noNaN: true }), { freq: 6 });
const scene = fc.record({
  host: badness,
  group: badness,
  some: badness,
  full: badness,
  count: badness,
});
type Scene = Parameters<Parameters<typeof scene.map>[0]>[0];

function readingsOf({ host, group, some, full, count }: Scene): Reading[] {
  const percent = (share: number): [number, number, number] => [share * 100, share * 90, share * 80];
  return [
    host === null ? silent('available') : available(10 * (1 - host)),
    group === null
      ? silent('available', 'failed', 'cgroup v2 /a')
      : available(10 * (1 - group), 'cgroup v2 /a'),
    some === null ? silent('stall-some') : stall('some', ...percent(some)),
    full === null ? silent('stall-full') : stall('full', ...percent(full)),
    count === null ? silent('oom', 'failed', 'cgroup v2 /a') : counted(Math.round(count * 3)),
  ];
}

const step = fc.record({ scene, afterMs: fc.integer({ min: 0, max: 40 * SECOND }) });
const past = fc.array(step, { maxLength: 12 });

function live(steps: readonly { readonly scene: Scene; readonly afterMs: number }[]): Watcher {
  const watcher = new Watcher();
  for (const { scene: seen, afterMs } of steps) {
    watcher.look(...readingsOf(seen));
    watcher.pass(afterMs);
  }
  return watcher;
}

const rank = (tier: (typeof TIERS)[number]) => TIERS.indexOf(tier);

describe('memory pressure, whatever was seen before', () => {
  test('is never less where every reading is worse', () => {
    const shares = fc.float({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(past, scene, fc.array(shares, { minLength: 5, maxLength: 5 }), (steps, seen, more) => {
        const watcher = live(steps);
        const worse = Object.fromEntries(
          Object.entries(seen).map(([name, share], index) => [
            name,
            share === null ? null : share + (1 - share) * (more[index] ?? 0),
          ]),
        ) as Scene;
        const judge = (one: Scene) =>
          judgePressure(readingsOf(one), watcher.memory, POLICY, watcher).pressure.tier;
        expect(rank(judge(worse))).toBeGreaterThanOrEqual(rank(judge(seen)));
      }),
      { numRuns: 500 },
    );
  });

  test('does not depend on the order of the readings', () => {
    const shuffled = scene.chain((seen) =>
      fc.record({ seen: fc.constant(seen), order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }) }),
    );
    fc.assert(
      fc.property(past, shuffled, (steps, { seen, order }) => {
        const watcher = live(steps);
        const readings = readingsOf(seen);
        const mixed = order.map((index) => readings[index] as Reading);
        const judge = (all: readonly Reading[]) => judgePressure(all, watcher.memory, POLICY, watcher);
        const { pressure, memory } = judge(mixed);
        const straight = judge(readings);
        expect(pressure).toEqual(straight.pressure);
        expect(memory).toEqual(straight.memory);
      }),
    );
  });

  test('does not flap at a threshold: a value that hovers there changes the tier once at most', () => {
    const hover = fc.array(fc.float({ min: Math.fround(0.9), max: Math.fround(1.1), noNaN: true }), {
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(hover, fc.constantFrom(0.6, 1.5), (wobble, threshold) => {
        const watcher = new Watcher();
        watcher.watch(30 * SECOND, [available(threshold * 1.01)]);
        let changes = 0;
        let tier = watcher.memory?.tier;
        // Each stays for longer than a fall takes, looked at every thirty seconds.
        for (const share of wobble.flatMap((one) => Array<number>(8).fill(one))) {
          watcher.pass(30 * SECOND);
          const seen = watcher.look(available(threshold * share)).tier;
          if (seen !== tier) changes++;
          tier = seen;
        }
        expect(changes).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('falls no sooner than the transition after any change, and only one step at a time', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
        const watcher = new Watcher();
        let changedMs = Number.NEGATIVE_INFINITY;
        let before = 0;
        for (const { scene: seen, afterMs } of steps) {
          const after = rank(watcher.look(...readingsOf(seen)).tier);
          if (after < before) {
            expect(before - after).toBe(1);
            expect(watcher.now.awakeMs - changedMs).toBeGreaterThanOrEqual(POLICY.transitionMs);
          }
          if (after !== before) changedMs = watcher.now.awakeMs;
          before = after;
          watcher.pass(afterMs);
        }
      }),
    );
  });

  test('is neither raised nor lowered by a look at which everything fails', () => {
    const blind: Scene = { host: null, group: null, some: null, full: null, count: null };
    fc.assert(
      fc.property(past, fc.integer({ min: 0, max: 20 * SECOND }), (steps, afterMs) => {
        const watcher = live([...steps, { scene: { ...blind, host: 0.99 }, afterMs }]);
        const tier = watcher.memory?.tier;
        expect(watcher.look(...readingsOf(blind), silent('os-level')).tier).toBe(tier);
      }),
    );
  });

  test('S26: knows no wall clock and no suspend', () => {
    const jumps = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(past, jumps, (steps, jump) => {
        const honest = new Watcher();
        const stepped = new Watcher();
        for (const [index, { scene: seen, afterMs }] of steps.entries()) {
          const readings = [...readingsOf(seen), systemLevel(1)];
          expect(stepped.look(...readings).tier).toBe(honest.look(...readings).tier);
          honest.pass(afterMs);
          stepped.pass(afterMs);
          const { at, awakeMs } = stepped.now;
          stepped.now = { at: at + (jump[index] ?? 0), awakeMs, suspendedMs: Math.abs(jump[index] ?? 0) };
        }
      }),
    );
  });
});
