import { afterEach, expect, test } from 'vitest';
import type { Due } from '../../../src/core/settle/due.ts';
import type { DaemonParts } from '../../../src/engine/daemon/parts.ts';
import { entry, roll } from '../../cli/render/samples.ts';
import { pressure } from '../../core/supervision/supervision-samples.ts';
import { until } from '../../support/until.ts';
import { Supervised } from './supervised.ts';

const running: Supervised[] = [];
const allowed = new WeakMap<Supervised, number>();
afterEach(async () => {
  for (const one of running.splice(0)) {
    allowed.set(one, Number.POSITIVE_INFINITY);
    await one.daemon.stop();
  }
});

/** A clock on which nothing but waiting takes time, and which stands still unless it may run. */
function onlyWaiting(mayRun: () => boolean) {
  let awakeMs = 0;
  const at = Date.now();
  const cancelled = new Set<number>();
  const due: { readonly at: number; readonly id: number; readonly call: () => void }[] = [];
  let ids = 0;
  let isRunning = false;
  const run = () => {
    isRunning = false;
    if (!mayRun()) return again();
    const next = due.filter(({ id }) => !cancelled.has(id)).sort((a, b) => a.at - b.at || a.id - b.id)[0];
    if (next === undefined) return;
    cancelled.add(next.id);
    awakeMs = Math.max(awakeMs, next.at);
    next.call();
    again();
  };
  const again = () => {
    if (!isRunning) setTimeout(run, 1);
    isRunning = true;
  };
  return {
    now: () => ({ at: at + awakeMs, awakeMs, suspendedMs: 0 }),
    after(ms: number, call: () => void): () => void {
      ids += 1;
      const id = ids;
      due.push({ at: awakeMs + ms, id, call });
      again();
      return () => cancelled.add(id);
    },
  };
}

/** A daemon that takes as many rounds as are asked of it, and what its waiting was made of. */
function daemon(changes: Partial<DaemonParts> = {}, hasMoved = () => false) {
  const asked = { followed: 0, felt: 0, waits: [] as number[] };
  const { now, after } = onlyWaiting(() => supervised.rounds.length < (allowed.get(supervised) ?? 0));
  const supervised: Supervised = new Supervised(async () => roll([entry('a', { activity: 'idle' })]), {
    stirring: {
      mark: () => {},
      follow: () => {
        asked.followed += 1;
      },
      hasMoved: () => {
        asked.felt += 1;
        return hasMoved();
      },
    },
    timers: {
      after(ms, call) {
        asked.waits.push(ms);
        return after(ms, call);
      },
    },
    now,
    ...changes,
  });
  running.push(supervised.start());
  return { supervised, asked };
}

const rounds = (supervised: Supervised, count: number) => {
  allowed.set(supervised, count);
  return until(`${count} rounds`, () => supervised.rounds.length >= count);
};

test('a round is put off while nothing moves, and says when it comes at the latest', async () => {
  const { supervised, asked } = daemon();
  await rounds(supervised, 2);
  expect(supervised.rounds[0]?.nextInMs).toBe(30_000);
  expect(asked.felt).toBe(2);
  expect(supervised.rounds[1]?.wokenBy).toEqual(['relist']);
});

test('the longer nothing moves, the later it comes; what moves, changes or is asked begins anew', async () => {
  let isMoving = false;
  let isChanged = false;
  const { supervised } = daemon(
    { look: async () => roll([entry('a', { activity: isChanged ? 'waiting' : 'idle' })]) },
    () => isMoving,
  );
  const waits = async (count: number) => {
    const from = supervised.rounds.length;
    await rounds(supervised, from + count);
    return supervised.rounds.slice(from, from + count).map(({ nextInMs }) => nextInMs);
  };
  expect(await waits(7)).toEqual([30_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  isMoving = true;
  expect(await waits(2)).toContain(30_000);
  isMoving = false;
  expect(await waits(8)).toContain(300_000);
  const asking = supervised.daemon.desk.lookNow();
  expect(await waits(1)).toEqual([30_000]);
  await asking;
  expect(await waits(8)).toContain(300_000);
  isChanged = true;
  expect(await waits(3)).not.toContain(300_000);
});

test('it is not put off where nobody hears of what calls for one', async () => {
  let isDeaf = true;
  const wakes = [{ start() {}, follow() {}, stop() {}, isDeaf: () => isDeaf }];
  const { supervised } = daemon({ wakes });
  await rounds(supervised, 1);
  isDeaf = false;
  await rounds(supervised, 2);
  expect(supervised.rounds.map(({ nextInMs }) => nextInMs).slice(0, 2)).toEqual([10_000, 30_000]);
});

test('it comes as soon as it is asked and something has moved', async () => {
  const { supervised, asked } = daemon({}, () => true);
  await rounds(supervised, 2);
  expect(asked.felt).toBe(1);
});

test('memory that runs short meanwhile is not waited for', async () => {
  let measured = 0;
  const short = () => {
    measured += 1;
    return { pressure: pressure(measured < 2 ? {} : { tier: 'moderate' }), problems: [] };
  };
  const { supervised, asked } = daemon({ pressure: short });
  await rounds(supervised, 2);
  expect(asked.felt).toBe(1);
});

test('nothing is felt while something may become due, and after a round that failed', async () => {
  const due = [{ key: 'k', name: 'a', dueAt: null, why: '', state: 'unproven' }] as const satisfies Due[];
  const settler = {
    round: async () => ({ standing: { mode: 'on' as const, due }, events: [] }),
    stop: async () => {},
  };
  const complete = daemon({ settler });
  await rounds(complete.supervised, 2);
  expect(complete.asked.followed).toBe(0);
  expect(complete.supervised.rounds[0]?.nextInMs).toBe(10_000);

  let looks = 0;
  let followed = -1;
  const failing = daemon({
    look: async () => {
      looks += 1;
      if (looks === 2) throw new Error('no look');
      if (looks === 3) followed = failing.asked.followed;
      return roll([entry('a', { activity: 'idle' })]);
    },
  });
  await rounds(failing.supervised, 2);
  // After the first one only.
  expect(followed).toBe(1);
});

const broken = () => {
  throw new Error('broken');
};
const STILL = { mark: () => {}, follow: () => {}, hasMoved: () => false };

test.each(['mark', 'follow', 'hasMoved'] as const)(
  'what cannot be felt (%s) is not waited for, and ends nothing',
  async (part) => {
    const { supervised, asked } = daemon({ stirring: { ...STILL, [part]: broken } });
    await rounds(supervised, 2);
    expect(supervised.rounds[1]?.wokenBy).toEqual(['relist']);
    // How long a round may take, when the next is due, when it is felt: and then the next begins.
    expect(asked.waits.slice(0, 4)).toEqual([30_000, 30_000, 10_000, 30_000]);
  },
);

test('memory that cannot be judged meanwhile is not waited for, and ends nothing', async () => {
  let measured = 0;
  const failing = () => {
    measured += 1;
    if (measured === 2) throw new Error('no reading');
    return { pressure: pressure(), problems: [] };
  };
  const { supervised, asked } = daemon({ pressure: failing });
  await rounds(supervised, 2);
  expect(asked.felt).toBe(1);
});

test('what servers do is marked as soon as the look has seen them, before the round acts', async () => {
  const told: string[] = [];
  const tell = (what: string) => told.push(what);
  const { supervised } = daemon({
    stirring: { mark: () => tell('mark'), follow: () => tell('follow'), hasMoved: () => true },
    look: async () => {
      tell('look');
      return roll([entry('a', { activity: 'idle' })]);
    },
    pressure: () => {
      tell('pressure');
      return { pressure: pressure(), problems: [] };
    },
  });
  await rounds(supervised, 2);
  expect(told.slice(0, 4)).toEqual(['look', 'mark', 'pressure', 'follow']);
});

test('without anything that feels, rounds come as they did', async () => {
  const { supervised } = daemon({ stirring: undefined as never });
  await rounds(supervised, 1);
  expect(supervised.rounds[0]?.nextInMs).toBe(10_000);
});
