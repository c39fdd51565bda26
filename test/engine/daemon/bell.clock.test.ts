import { afterEach, expect, test, vi } from 'vitest';
import type { Wake } from '../../../src/core/supervision/round.ts';
import { createBell, type Felt } from '../../../src/engine/daemon/bell.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A bell on a clock that the test turns; `woken` is what the waiting came to. */
function room(dueInMs = 10_000, hintsAfterMs = 0, felt: Felt | null = null, deathsAfterMs = hintsAfterMs) {
  vi.useFakeTimers();
  const bell = createBell({
    after(ms, call) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  });
  const heard: { woken: readonly Wake[] | null } = { woken: null };
  void bell.wait({ dueInMs, hintsAfterMs, deathsAfterMs, felt }).then((wakes) => {
    heard.woken = wakes;
  });
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return heard.woken;
  };
  return { bell, after };
}

test('hints wait for the others of their group, and are told once', async () => {
  const { bell, after } = room();
  bell.ring('hook');
  bell.ring('hook');
  expect(await after(29)).toBe(null);
  bell.ring('death');
  expect(await after(1)).toEqual(['hook', 'death']);
  expect(vi.getTimerCount()).toBe(0);
});

test('in a storm hints wait until a round may be paid for; whoever asks does not', async () => {
  const { bell, after } = room(10_000, 800);
  bell.ring('hook');
  expect(await after(799)).toBe(null);
  expect(await after(1)).toEqual(['hook']);
  const asked = room(10_000, 800);
  asked.bell.ring('hook');
  asked.bell.ring('asked');
  expect(await asked.after(0)).toEqual(['hook', 'asked']);
});

test('a death does not wait for what other hints may cost', async () => {
  const { bell, after } = room(10_000, 800, null, 100);
  bell.ring('hook');
  expect(await after(50)).toBe(null);
  bell.ring('death');
  expect(await after(99)).toBe(null);
  expect(await after(1)).toEqual(['hook', 'death']);
  expect(vi.getTimerCount()).toBe(0);
});

test('without a hint the time comes, and what rang while nobody waited counts', async () => {
  const { bell, after } = room(5000);
  expect(await after(4999)).toBe(null);
  expect(await after(1)).toEqual(['relist']);
  bell.ring('ledger');
  const next = bell.wait({ dueInMs: 5000, hintsAfterMs: 0, deathsAfterMs: 0 });
  await vi.advanceTimersByTimeAsync(30);
  expect(await next).toEqual(['ledger']);
});

test('a wish to end ends the waiting at once, and every later one', async () => {
  const { bell, after } = room();
  bell.end();
  expect(await after(0)).toEqual([]);
  expect(await bell.wait({ dueInMs: 1, hintsAfterMs: 0, deathsAfterMs: 0 })).toEqual([]);
});

test('while nothing is felt to move the time is put off, and no further than it was said', async () => {
  let asked = 0;
  const hasMoved = () => {
    asked += 1;
    return false;
  };
  const { after } = room(30_000, 0, { everyMs: 10_000, hasMoved });
  expect(await after(29_999)).toBe(null);
  expect(asked).toBe(2);
  expect(await after(1)).toEqual(['relist']);
  expect(vi.getTimerCount()).toBe(0);
});

test('what is felt to move ends the waiting when it is asked for', async () => {
  let isMoving = false;
  const { after } = room(30_000, 0, { everyMs: 10_000, hasMoved: () => isMoving });
  expect(await after(10_000)).toBe(null);
  isMoving = true;
  expect(await after(9999)).toBe(null);
  expect(await after(1)).toEqual(['relist']);
  expect(vi.getTimerCount()).toBe(0);
});

test('what cannot be felt ends the waiting, and nothing else', async () => {
  const hasMoved = () => {
    throw new Error('broken');
  };
  const { after } = room(30_000, 0, { everyMs: 10_000, hasMoved });
  expect(await after(10_000)).toEqual(['relist']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a hint does not wait for what is felt', async () => {
  const { bell, after } = room(30_000, 0, { everyMs: 10_000, hasMoved: () => false });
  bell.ring('death');
  expect(await after(30)).toEqual(['death']);
  expect(vi.getTimerCount()).toBe(0);
});
