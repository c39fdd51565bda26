import { afterEach, describe, expect, test } from 'vitest';
import { UNFOLDED } from '../../../src/core/ledger/current-facts.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Wake } from '../../../src/core/supervision/round.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import type { DaemonParts } from '../../../src/engine/daemon/parts.ts';
import type { WakeSource } from '../../../src/ports/daemon.ts';
import { entry, roll } from '../../cli/render/samples.ts';
import { until } from '../../support/until.ts';
import { STANDING, Supervised } from './supervised.ts';

const running: Supervised[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.daemon.stop();
});

const begin = (look: DaemonParts['look'], changes: Partial<DaemonParts> = {}) => {
  const made = new Supervised(look, changes);
  running.push(made);
  return made.start();
};
const first = (one: Supervised) => until('the first round', () => one.rounds.length > 0);

class Doorbell implements WakeSource {
  wake: (why: Wake) => void = () => {};
  start(wake: (why: Wake) => void): void {
    this.wake = wake;
  }
  follow(): void {}
  stop(): void {}
}

/** A gate that a test opens. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const NO_TIME = { at: 0, awakeMs: 0, suspendedMs: 0 };
const NO_ENDS: Hands['ends'] = { all: () => [], of: () => null, drop: () => {} };
const NO_STARTS: Hands['starts'] = { keep: () => {}, all: () => [], of: () => null, drop: () => {} };
const ledgerOf = () =>
  ({ facts: () => ({ folded: UNFOLDED }), close: () => {} }) as unknown as Hands['ledger'];

describe('the loop', () => {
  test('takes one round at a time, and gathers what calls meanwhile', async () => {
    const bell = new Doorbell();
    let looking = 0;
    let most = 0;
    let held: Promise<void> | null = null;
    const one = begin(
      async () => {
        looking += 1;
        most = Math.max(most, looking);
        await held;
        looking -= 1;
        return roll([]);
      },
      { wakes: [bell] },
    );
    await first(one);
    const { opened, open } = gate();
    held = opened;
    bell.wake('hook');
    await until('a look is under way', () => looking === 1);
    for (const why of ['hook', 'death', 'hook', 'ledger'] as const) bell.wake(why);
    held = null;
    open();
    await until('both rounds', () => one.rounds.length === 3);
    expect(one.rounds.map(({ wokenBy }) => wokenBy)).toEqual([
      ['start'],
      ['hook'],
      ['hook', 'death', 'ledger'],
    ]);
    expect(most).toBe(1);
  });

  test('a hint reaches observers well before the next round is due', async () => {
    const bell = new Doorbell();
    const one = begin(async () => roll([]), { wakes: [bell] });
    await first(one);
    expect(one.last?.nextInMs).toBe(10_000);
    bell.wake('hook');
    await until('the round', () => one.rounds.length === 2);
    expect(one.last?.wokenBy).toEqual(['hook']);
  });

  test('whoever listens is told before the look, and after the round', async () => {
    const order: string[] = [];
    const tell = (what: string) => () => {
      order.push(what);
    };
    const listening = { start() {}, begin: tell('begin'), follow: tell('follow'), stop() {} };
    const one = begin(
      async () => {
        order.push('look');
        return roll([]);
      },
      { wakes: [listening] },
    );
    await first(one);
    await until('the round is over', () => order.length >= 3);
    expect(order).toEqual(['begin', 'look', 'follow']);
  });

  test('S32: a look that fails is logged and followed by the next; nothing is told or closed on it', async () => {
    let looks = 0;
    let decided = 0;
    const one = begin(
      async () => {
        looks += 1;
        if (looks <= 2) throw new Error('tmux\u001b[2J is away');
        return roll([entry('a')]);
      },
      {
        reaper: {
          round: async () => {
            decided += 1;
            return { standing: STANDING, events: [] };
          },
          stop: async () => {},
        },
      },
    );
    await first(one);
    expect(one.log.lines.filter(({ event }) => event === 'round-failed')).toEqual([
      { event: 'round-failed', failures: 1, text: 'tmux\\e[2J is away' },
      { event: 'round-failed', failures: 2, text: 'tmux\\e[2J is away' },
    ]);
    expect(decided).toBe(1);
    expect(one.rounds).toMatchObject([{ number: 1, changes: [] }]);
  });

  test('an observer that throws, rejects or hangs is in nobody’s way', async () => {
    const heard: number[] = [];
    const one = new Supervised(async () => roll([]));
    running.push(one);
    const { desk } = one.daemon;
    desk.onRound(() => {
      throw new Error('a');
    });
    desk.onRound(async () => {
      throw new Error('b');
    });
    const { opened, open } = gate();
    desk.onRound(() => opened);
    const stop = desk.onRound((round) => {
      heard.push(round.number);
    });
    one.start();
    await first(one);
    for (let count = 0; count < 25; count += 1) await desk.lookNow();
    expect(heard).toHaveLength(26);
    expect(one.log.events).toContain('observer-behind');
    expect(one.log.events.filter((event) => event === 'observer-failed').length).toBeGreaterThan(10);
    stop();
    await desk.lookNow();
    expect(heard).toHaveLength(26);
    open();
  });

  test('S26: a night asleep and a stepped clock are told, and change no rhythm', async () => {
    let moment = { at: 1_000_000, awakeMs: 5000, suspendedMs: 0 };
    const one = begin(async () => roll([entry('a', { activity: 'idle' })]), { now: () => moment });
    await first(one);
    const hours8 = 8 * 3_600_000;
    moment = { at: moment.at + hours8, awakeMs: 5100, suspendedMs: hours8 };
    const slept = await one.daemon.desk.lookNow();
    moment = { ...moment, at: moment.at - hours8 };
    const stepped = await one.daemon.desk.lookNow();
    expect(one.log.events.slice(-2)).toEqual(['machine-slept', 'clock-stepped']);
    expect([slept, stepped].map(({ nextInMs, changes }) => [nextInMs, changes.length])).toEqual([
      [10_000, 0],
      [10_000, 0],
    ]);
  });

  test('counts what hints missed, and numbers changes through', async () => {
    let sessions: SessionEntry[] = [];
    const one = begin(async () => roll(sessions), {
      timers: {
        // Time flies: what is due in seconds comes at once.
        after(ms, call) {
          const timer = setTimeout(call, ms / 200);
          return () => clearTimeout(timer);
        },
      },
    });
    await first(one);
    sessions = [entry('a'), entry('b')];
    const round = await one.seen('both', (_, { changes }) => changes.length === 2);
    expect(round).toMatchObject({
      wokenBy: ['relist'],
      missedHints: 2,
      changes: [{ number: 1 }, { number: 2 }],
    });
    sessions = [];
    const after = await one.seen(
      'none',
      (seen, { changes }) => seen.sessions.length === 0 && changes.length > 0,
    );
    expect(after.changes.map(({ number }) => number)).toEqual([3, 4]);
  });

  test('a source of hints that fails leaves the others and the rounds', async () => {
    const bell = new Doorbell();
    const broken: WakeSource = {
      start: () => {
        throw new Error('no watches left');
      },
      follow: () => Promise.reject(new Error('gone')),
      stop: () => Promise.reject(new Error('gone')),
    };
    const one = begin(async () => roll([]), { wakes: [broken, bell] });
    await first(one);
    bell.wake('hook');
    await until('the next', () => one.rounds.length === 2);
    expect(one.log.events.filter((event) => event === 'wakes-failed').length).toBeGreaterThanOrEqual(2);
  });
});

describe('the desk', () => {
  test('lookNow gives a round that began after it was asked', async () => {
    let looks = 0;
    let held: Promise<void> | null = null;
    const one = begin(async () => {
      looks += 1;
      await held;
      return roll([]);
    });
    await first(one);
    const { opened, open } = gate();
    held = opened;
    const asked = one.daemon.desk.lookNow();
    await until('its look', () => looks === 2);
    const again = one.daemon.desk.lookNow();
    held = null;
    open();
    expect([(await asked).number, (await again).number]).toEqual([2, 3]);
  });

  test('lookNow fails with the look', async () => {
    let isBroken = false;
    const one = begin(async () => {
      if (isBroken) throw new Error('no');
      return roll([]);
    });
    await first(one);
    isBroken = true;
    await expect(one.daemon.desk.lookNow()).rejects.toThrow('no');
  });

  test('while looks fail, neither whoever asks nor what hints makes them frequent', async () => {
    const bell = new Doorbell();
    const waits: number[] = [];
    let looks = 0;
    const one = begin(
      async () => {
        looks += 1;
        if (looks === 2) throw new Error('no');
        return roll([]);
      },
      {
        wakes: [bell],
        timers: {
          after(ms, call) {
            waits.push(ms);
            const timer = setTimeout(call, ms);
            return () => clearTimeout(timer);
          },
        },
      },
    );
    await first(one);
    await expect(one.daemon.desk.lookNow()).rejects.toThrow('no');
    waits.length = 0;
    const asked = one.daemon.desk.lookNow();
    bell.wake('hook');
    expect((await asked).wokenBy).toContain('hook');
    expect([looks, Math.min(...waits)]).toEqual([3, 1000]);
  });

  test('closer looks between the rounds, at that session only', async () => {
    const [a, b] = [entry('a'), entry('b')];
    let looking = 0;
    const picked: string[] = [];
    const one = begin(async ({ inspect } = {}) => {
      looking += 1;
      expect(looking).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      picked.push(...(inspect?.([a, b]) ?? []).map(({ name }) => name));
      looking -= 1;
      return roll([a, b]);
    });
    await first(one);
    await Promise.all([
      one.daemon.desk.lookNow(),
      one.daemon.desk.look({ inspect: (all) => all.filter(({ key }) => key === b.key) }),
      one.daemon.desk.lookNow(),
    ]);
    expect(picked).toEqual(['b']);
  });

  test('withHands puts them away whatever happens, and a round follows', async () => {
    let closed = 0;
    const hands = {
      ends: NO_ENDS,
      starts: NO_STARTS,
      moment: () => NO_TIME,
      ledger: { ...ledgerOf(), close: () => (closed += 1) },
    } as unknown as Hands;
    const one = begin(async () => roll([]), { openHands: async () => hands });
    await first(one);
    expect(await one.daemon.desk.withHands(async () => 7)).toBe(7);
    await expect(
      one.daemon.desk.withHands(async () => {
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    await until('a round', () => one.rounds.length > 1);
    expect(one.last?.wokenBy).toEqual(['asked']);
    // Once more for the recovery at the start.
    expect(closed).toBe(3);
  });

  test('S40: a stop lets an action end, and takes no new one', async () => {
    const { opened, open } = gate();
    let isStopped = false;
    const one = begin(async () => roll([]), {
      openHands: async () =>
        ({ ends: NO_ENDS, starts: NO_STARTS, moment: () => NO_TIME, ledger: ledgerOf() }) as Hands,
    });
    await first(one);
    const work = one.daemon.desk.withHands(() => opened);
    const stopping = one.daemon.stop().then(() => {
      isStopped = true;
    });
    await expect(one.daemon.desk.withHands(async () => {})).rejects.toThrow('stopping');
    await expect(one.daemon.desk.lookNow()).rejects.toThrow('stopping');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isStopped).toBe(false);
    open();
    await work;
    await stopping;
  });

  test('S36: a ledger that cannot be read at the start is told, and supervision begins', async () => {
    const one = begin(async () => roll([]));
    await first(one);
    expect(one.log.lines[0]).toMatchObject({ event: 'recovery-failed', text: 'there are no hands here' });
  });
});
