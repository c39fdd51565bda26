import { beforeEach, describe, expect, test } from 'vitest';
import { provenMs, type Read } from '../../../src/core/pressure/judge-signal.ts';
import { isPressureMemory } from '../../../src/core/pressure/memory.ts';
import { amountOf } from '../../../src/core/pressure/words.ts';
import {
  available,
  counted,
  GIB,
  MINUTE,
  SECOND,
  silent,
  stall,
  swap,
  systemLevel,
  Watcher,
} from './readings.ts';

const CALM = [available(8), stall('some', 0, 0, 0), stall('full', 0, 0, 0)];

describe('memory pressure', () => {
  let watcher: Watcher;

  beforeEach(() => {
    watcher = new Watcher();
  });

  describe('at a first look', () => {
    test('of a calm machine is normal, says why, and that it is the first', () => {
      const pressure = watcher.look(...CALM);
      expect(pressure).toMatchObject({
        tier: 'normal',
        isFirstLook: true,
        since: watcher.now.at,
        next: null,
      });
      expect(pressure.reason).toEqual({
        ...{ code: 'below-thresholds', signal: null, value: null, threshold: null, heldMs: null },
        text: 'every signal that could be read is on the calm side of its threshold',
      });
    });

    test('is moderate where the stalls of a whole minute say so', () => {
      const pressure = watcher.look(available(8), stall('some', 12.4, 11, 2));
      expect(pressure).toMatchObject({ tier: 'moderate', isFirstLook: true });
      expect(pressure.reason).toEqual({
        ...{ code: 'threshold-held', signal: 'stall-some host', value: 12.4, threshold: 10, heldMs: 60_000 },
        text: 'some process waited for memory 12.4 % of the time; moderate is at or above 10.0 % of the time; held for 1 min',
      });
    });

    test('is critical where the stalls of ten seconds say so, and not by an old stall', () => {
      expect(watcher.look(stall('full', 20, 1, 0)).tier).toBe('critical');
      expect(new Watcher().look(stall('full', 0, 20, 20)).tier).toBe('normal');
      expect(new Watcher().look(stall('some', 12, 1, 0))).toMatchObject({
        tier: 'normal',
        reason: { code: 'not-held-yet' },
        next: { tier: 'moderate', inMs: 20 * SECOND },
      });
    });

    test('S38: is not raised by what carries no duration, but says what comes', () => {
      const pressure = watcher.look(available(0.5));
      expect(pressure.tier).toBe('normal');
      expect(pressure.reason).toMatchObject({
        ...{ code: 'not-held-yet', signal: 'available host', value: 0.5 * GIB, heldMs: 0 },
        text: 'available memory: 512 MiB; critical is below 614 MiB; but it has not held long enough',
      });
      expect(pressure.next).toEqual({ tier: 'critical', inMs: 10 * SECOND, signal: 'available host' });
    });

    test('without any signal is normal, and says that nothing can be read', () => {
      const pressure = watcher.look(silent('stall-some', 'absent'), silent('available'), swap(0));
      expect(pressure).toMatchObject({ tier: 'normal', reason: { code: 'no-signal' } });
    });
  });

  describe('rises', () => {
    test('to moderate when a value has held for its time, not before', () => {
      expect(watcher.watch(25 * SECOND, [available(1.2)]).tier).toBe('normal');
      watcher.pass(5 * SECOND);
      const pressure = watcher.look(available(1.2));
      expect(pressure).toMatchObject({ tier: 'moderate', since: watcher.now.at, isFirstLook: false });
      expect(pressure.reason).toMatchObject({ code: 'threshold-held', heldMs: 30 * SECOND });
      expect(pressure.next).toBeNull();
      watcher.pass(5 * SECOND);
      expect(watcher.look(available(1.2)).since).toBe(pressure.since);
    });

    test('to critical quicker, from moderate too', () => {
      watcher.watch(30 * SECOND, [available(1.2)]);
      expect(watcher.watch(5 * SECOND, [available(0.5)])).toMatchObject({
        tier: 'moderate',
        next: { tier: 'critical', inMs: 5 * SECOND },
      });
      watcher.pass(5 * SECOND);
      expect(watcher.look(available(0.5)).tier).toBe('critical');
    });

    test('never by a value that comes and goes', () => {
      for (let round = 0; round < 20; round++) {
        expect(watcher.watch(20 * SECOND, [available(1.2)]).tier).toBe('normal');
        watcher.pass(SECOND);
        expect(watcher.look(available(1.6)).tier).toBe('normal');
        watcher.pass(SECOND);
      }
    });

    test('S26: never by suspend, nor by a stepped clock', () => {
      watcher.look(available(0.5));
      const { at, awakeMs } = watcher.now;
      watcher.now = { at: at + 8 * 60 * MINUTE, awakeMs: awakeMs + SECOND, suspendedMs: 8 * 60 * MINUTE };
      expect(watcher.look(available(0.5))).toMatchObject({ tier: 'normal', next: { inMs: 9 * SECOND } });
      watcher.now = { ...watcher.now, at: at - 60 * MINUTE };
      expect(watcher.look(available(0.5)).tier).toBe('normal');
    });

    test('S38: on a machine with plenty left not by a small share of it', () => {
      expect(watcher.watch(5 * MINUTE, [available(30, 'host', 256 * GIB)]).tier).toBe('normal');
      expect(watcher.watch(5 * MINUTE, [available(3, 'host', 256 * GIB)]).tier).toBe('moderate');
    });

    test('S38: by a cgroup at its limit on a host that has memory to spare', () => {
      const group = available(0.1, 'cgroup v2 /user.slice', 4 * GIB);
      const pressure = watcher.watch(10 * SECOND, [available(9), group]);
      expect(pressure).toMatchObject({
        tier: 'critical',
        reason: { signal: 'available cgroup v2 /user.slice' },
      });
      expect(pressure.reason.text).toContain('available memory in cgroup v2 /user.slice: 102 MiB');
    });

    test('never by swap: a full one on a machine with memory to spare is no need', () => {
      const pressure = watcher.watch(5 * MINUTE, [available(8), swap(0)]);
      expect(pressure.tier).toBe('normal');
      expect(pressure.signals.at(-1)).toMatchObject({ key: 'swap host', thresholds: null, reached: null });
    });

    test('at once when a cgroup ran out, which is no matter of duration', () => {
      watcher.look(...CALM, counted(7));
      watcher.pass(5 * SECOND);
      expect(watcher.look(...CALM, counted(7)).tier).toBe('normal');
      watcher.pass(5 * SECOND);
      const pressure = watcher.look(...CALM, counted(9));
      expect(pressure.tier).toBe('critical');
      expect(pressure.reason).toMatchObject({
        ...{ code: 'threshold-held', value: 2, heldMs: null },
        text: 'out of memory in cgroup v2 /a: 2 times since the last look',
      });
      watcher.pass(5 * SECOND);
      expect(watcher.look(...CALM, counted(9)).reason.code).toBe('calming');
    });

    test('not by what was counted before the first look, nor by a count that began anew', () => {
      expect(watcher.look(counted(40)).tier).toBe('normal');
      watcher.pass(SECOND);
      expect(watcher.look(counted(3)).tier).toBe('normal');
      watcher.pass(SECOND);
      expect(watcher.look(counted(4)).tier).toBe('critical');
    });

    test('S38: on a Mac by its own word; its free pages are shown only, as long as it gives one', () => {
      expect(watcher.watch(5 * MINUTE, [systemLevel(1), available(0.1)]).tier).toBe('normal');
      const pressure = watcher.watch(30 * SECOND, [systemLevel(2), available(8)]);
      expect(pressure.reason.text).toBe(
        'pressure level of the system: warning; moderate is at or above warning; held for 30 s',
      );
      expect(watcher.watch(10 * SECOND, [systemLevel(4)]).tier).toBe('critical');
      expect(new Watcher().watch(10 * SECOND, [silent('os-level'), available(0.1)]).tier).toBe('critical');
    });
  });

  describe('between looks that are far apart', () => {
    test('holds for available memory', () => {
      watcher.look(available(0.5));
      watcher.pass(MINUTE);
      expect(watcher.look(available(0.5)).tier).toBe('critical');
    });

    test('holds for stalls only as long as their own averages say', () => {
      const brief = stall('some', 20, 2, 0);
      watcher.look(brief);
      watcher.pass(MINUTE);
      expect(watcher.look(brief)).toMatchObject({ tier: 'normal', next: { inMs: 20 * SECOND } });
      watcher.pass(15 * SECOND);
      expect(watcher.look(brief)).toMatchObject({ next: { inMs: 15 * SECOND } });
      watcher.pass(MINUTE);
      expect(watcher.look(stall('some', 20, 12, 0)).tier).toBe('moderate');
    });

    test.each([
      ['after a long time', (w: Watcher) => w.pass(2 * MINUTE + 1)],
      ['after a restart of the machine', (w: Watcher) => Object.assign(w, { bootId: 'another' })],
      ['when the clock of this boot went back', (w: Watcher) => w.pass(-1)],
    ])('starts afresh %s', (_, change) => {
      watcher.watch(10 * SECOND, [available(0.5)]);
      expect(watcher.memory?.tier).toBe('critical');
      change(watcher);
      expect(watcher.look(available(0.5))).toMatchObject({ tier: 'normal', isFirstLook: true });
    });
  });

  describe('falls', () => {
    beforeEach(() => {
      watcher.watch(10 * SECOND, [available(0.5)]);
    });

    test('one step at a time, after the calm and not soon after a change', () => {
      expect(watcher.watch(MINUTE, [available(8)])).toMatchObject({
        tier: 'critical',
        reason: { code: 'calming', text: expect.stringContaining('for 1 min') },
        next: { tier: 'moderate', inMs: 2 * MINUTE, signal: null },
      });
      expect(watcher.watch(2 * MINUTE - 5 * SECOND, [available(8)]).tier).toBe('critical');
      watcher.pass(5 * SECOND);
      expect(watcher.look(available(8))).toMatchObject({ tier: 'moderate', since: watcher.now.at });
      expect(watcher.watch(3 * MINUTE - 5 * SECOND, [available(8)]).tier).toBe('moderate');
      watcher.pass(5 * SECOND);
      expect(watcher.look(available(8))).toMatchObject({
        tier: 'normal',
        reason: { code: 'below-thresholds' },
      });
    });

    test('long after a change by the calm alone', () => {
      watcher.watch(10 * MINUTE, [available(0.5)]);
      watcher.look(available(8));
      watcher.pass(90 * SECOND - 1);
      expect(watcher.look(available(8))).toMatchObject({ tier: 'critical', next: { inMs: 1 } });
      watcher.pass(1);
      expect(watcher.look(available(8)).tier).toBe('moderate');
    });

    test('not while a value is still near its threshold', () => {
      expect(watcher.watch(10 * MINUTE, [available(0.7)])).toMatchObject({
        tier: 'critical',
        reason: { code: 'not-released', signal: 'available host', heldMs: null },
        next: null,
      });
    });

    test('only to moderate while a value keeps that up', () => {
      expect(watcher.watch(20 * MINUTE, [available(1.4)])).toMatchObject({
        tier: 'moderate',
        reason: { code: 'threshold-held' },
      });
    });

    test('not by a calm that was interrupted', () => {
      watcher.watch(10 * MINUTE, [available(0.5)]);
      for (let round = 0; round < 5; round++) {
        watcher.watch(80 * SECOND, [available(8)]);
        watcher.pass(SECOND);
        expect(watcher.look(available(0.5)).tier).toBe('critical');
        watcher.pass(SECOND);
      }
    });

    test('S26: not by suspend', () => {
      watcher.look(available(8));
      watcher.now = { ...watcher.now, at: watcher.now.at + 60 * MINUTE, suspendedMs: 60 * MINUTE };
      watcher.pass(SECOND);
      expect(watcher.look(available(8)).tier).toBe('critical');
    });
  });

  describe('with a sensor that fails', () => {
    test('is not raised, and what broke off has not held', () => {
      watcher.watch(25 * SECOND, [available(1.2)]);
      watcher.pass(5 * SECOND);
      expect(watcher.look(silent('available')).tier).toBe('normal');
      watcher.pass(5 * SECOND);
      expect(watcher.look(available(1.2))).toMatchObject({ tier: 'normal', next: { inMs: 30 * SECOND } });
    });

    test.each([
      ['cannot be read', [silent('available')]],
      ['was not even asked', []],
    ])(
      'is kept by what was last known for a while where it %s, and then falls as after a calm',
      (_, readings) => {
        watcher.watch(10 * MINUTE, [available(0.5)]);
        watcher.pass(MINUTE);
        expect(watcher.look(...readings)).toMatchObject({
          tier: 'critical',
          reason: { code: 'signal-lost', signal: 'available host' },
          next: null,
        });
        watcher.pass(MINUTE);
        expect(watcher.look(...readings).reason.code).toBe('signal-lost');
        watcher.pass(SECOND);
        expect(watcher.look(...readings).reason.code).toBe('calming');
        expect(watcher.watch(85 * SECOND, readings).tier).toBe('critical');
        watcher.pass(5 * SECOND);
        expect(watcher.look(...readings).tier).toBe('moderate');
      },
    );

    test('goes on counting from where it was', () => {
      watcher.look(counted(2));
      watcher.pass(SECOND);
      watcher.look(silent('oom', 'failed', 'cgroup v2 /a'));
      watcher.pass(SECOND);
      expect(watcher.look(counted(3)).tier).toBe('critical');
    });

    test('is judged by the others', () => {
      const readings = [silent('stall-some', 'absent'), silent('stall-full', 'absent'), available(0.5)];
      expect(watcher.watch(10 * SECOND, readings)).toMatchObject({
        tier: 'critical',
        reason: { signal: 'available host' },
      });
    });
  });

  test('a critical threshold that is laxer than the moderate one counts for both', () => {
    const odd = new Watcher({ stallSomePercent: { moderate: 50, critical: 20 } });
    expect(odd.watch(10 * SECOND, [stall('some', 30, 30, 30)]).tier).toBe('critical');
  });

  test('of several that reach a threshold the worse one is named', () => {
    expect(watcher.look(available(1.2), available(0.1, 'cgroup v2 /a')).reason.signal).toBe(
      'available cgroup v2 /a',
    );
    expect(watcher.look(available(0.1), available(1.2, 'cgroup v2 /a')).reason.signal).toBe('available host');
  });

  test('of several that hold the one that held longest is named', () => {
    watcher.watch(10 * SECOND, [available(0.1, 'cgroup v2 /a')]);
    watcher.pass(SECOND);
    const pressure = watcher.look(
      available(0.1),
      available(0.1, 'cgroup v2 /a'),
      available(0.8, 'cgroup v2 /b'),
    );
    expect(pressure.reason.signal).toBe('available cgroup v2 /a');
  });

  test('what was stored is believed only with the outline of a memory', () => {
    watcher.look(...CALM);
    expect(isPressureMemory(JSON.parse(JSON.stringify(watcher.memory)))).toBe(true);
    const { memory } = watcher;
    const [track] = Object.values(memory?.tracks ?? {});
    expect(track).toBeDefined();
    for (const wrong of [
      null,
      7,
      {},
      { ...memory, format: 2 },
      { ...memory, tier: 'mad' },
      { ...memory, tracks: null },
      ...[null, 7, {}, { ...track, since: null }, { ...track, keeps: 'mad' }].map((gone) => ({
        ...memory,
        tracks: { ...memory?.tracks, gone },
      })),
    ])
      expect(isPressureMemory(wrong)).toBe(false);
  });

  test('what averages prove reaches as far as the longest of them that is at the threshold', () => {
    const proven = (...values: [number, number, number]) => provenMs(stall('some', ...values) as Read, 10);
    expect(proven(10, 10, 10)).toBe(300_000);
    expect(proven(10, 10, 9)).toBe(60_000);
    expect(proven(9, 10, 10)).toBe(0);
  });

  test('what is available is nothing any more once the system has a word of its own', () => {
    watcher.watch(30 * SECOND, [available(1.2)]);
    watcher.pass(SECOND);
    expect(watcher.look(available(1.2), systemLevel(1)).reason).toMatchObject({ code: 'calming' });
  });

  test('amounts are said in their own unit', () => {
    expect(amountOf('oom', 1)).toBe('once');
    expect(amountOf('oom', 3)).toBe('3 times');
    expect(amountOf('swap', 2 * GIB)).toBe('2.0 GiB');
    expect(amountOf('swap', GIB)).toBe('1.0 GiB');
    expect(amountOf('stall-full', 1)).toBe('1.0 % of the time');
    expect(amountOf('os-level', 3)).toBe('level 3');
  });
});
