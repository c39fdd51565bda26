import { expect, test } from 'vitest';
import type { Round } from '../../../src/core/supervision/round.ts';
import type { Desk } from '../../../src/engine/daemon/desk.ts';
import { createInterruptedObserver } from '../../../src/engine/daemon/interrupted-observer.ts';

const MINUTE = 60_000;

function daemon() {
  const open = new Set<number>();
  let [tries, awakeMs] = [0, 0];
  const desk = {
    ledger: { facts: () => ({ folded: { openIntents: new Map([...open].map((one) => [one, {}])) } }) },
    withHands: async () => {
      tries += 1;
    },
  } as unknown as Pick<Desk, 'ledger' | 'withHands'>;
  const observe = createInterruptedObserver(desk);
  return {
    open,
    /** Rounds for so long, one in ten seconds; tells how often it was tried in that time. */
    async after(ms: number) {
      const before = tries;
      for (const end = awakeMs + ms; awakeMs < end; awakeMs += 10_000)
        await observe({ now: { at: 0, awakeMs, suspendedMs: 0 } } as unknown as Round);
      return tries - before;
    },
  };
}

test('S50: what somebody was killed at is brought to its end, though nobody asks for anything any more', async () => {
  const { open, after } = daemon();
  expect(await after(MINUTE)).toBe(0);
  open.add(7);
  // Whoever is at it has its time.
  expect(await after(MINUTE)).toBe(0);
  expect(await after(MINUTE)).toBe(1);
  open.delete(7);
  expect(await after(60 * MINUTE)).toBe(0);
});

test('S48: what cannot be brought to its end is tried again, less and less often', async () => {
  const { open, after } = daemon();
  open.add(7);
  expect(await after(10 * MINUTE)).toBe(4);
  expect(await after(60 * MINUTE)).toBeLessThanOrEqual(6);
  expect(await after(60 * MINUTE)).toBeGreaterThanOrEqual(5);
});

test('each has its time: what begins all the time is not taken for something that was left', async () => {
  const { open, after } = daemon();
  for (let sequence = 1; sequence < 20; sequence += 1) {
    open.clear();
    open.add(sequence);
    expect(await after(MINUTE)).toBe(0);
  }
});
