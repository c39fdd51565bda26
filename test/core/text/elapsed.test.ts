import { describe, expect, it } from 'vitest';
import { beganAt, elapsedMs, steppedSince, unrealMs } from '../../../src/core/text/elapsed.ts';
import { clock, DAY, HOUR, MINUTE, NOW, SECOND } from '../../support/evidence.ts';

const awakeAgo = (ms: number) => NOW.awakeMs - ms;

describe('time that has passed', () => {
  it.each([
    [
      'on the awake clock, whatever the wall clock says',
      MINUTE,
      { at: NOW.at - DAY, awakeMs: awakeAgo(MINUTE) },
      0,
    ],
    [
      'on the awake clock, where the other went back',
      MINUTE,
      { at: NOW.at + DAY, awakeMs: awakeAgo(MINUTE) },
      0,
    ],
    ['since another boot is at least this boot', NOW.awakeMs, { at: 0, awakeMs: NOW.awakeMs + 1 }, 0],
    ['on the wall clock, cut by what is unreal', MINUTE, { at: NOW.at - HOUR }, HOUR - MINUTE],
    ['on the wall clock is never below nothing', 0, { at: NOW.at + HOUR }, 0],
    ['on a clock that is not known is none', 0, { at: 0 }, Number.POSITIVE_INFINITY],
  ])('%s', (_, ms, stamp, unreal) => {
    expect(elapsedMs(stamp, NOW, unreal)).toBe(ms);
  });
});

it('sleep and steps make the wall clock unreal, and without a clock all of it', () => {
  expect(unrealMs(clock({ suspendedMs: MINUTE, steppedMs: SECOND }))).toBe(MINUTE + SECOND);
  expect(unrealMs(undefined)).toBe(Number.POSITIVE_INFINITY);
});

it('a step shows in a program that noted the wall clock when it started', () => {
  expect(steppedSince(NOW.at, NOW.at + DAY)).toBe(DAY);
  expect(steppedSince(NOW.at, NOW.at - DAY)).toBe(DAY);
  expect(steppedSince(NOW.at, NOW.at + 4 * SECOND)).toBe(0);
  expect(steppedSince(undefined, NOW.at)).toBe(0);
  expect(steppedSince(NOW.at, undefined)).toBe(0);
});

describe('when it began', () => {
  it('is as it was noted, while two clocks differ by what reading them takes', () => {
    const at = NOW.at - MINUTE;
    expect(beganAt({ at, awakeMs: awakeAgo(MINUTE + 100) }, NOW, 0)).toBe(at);
    expect(beganAt({ at, awakeMs: awakeAgo(MINUTE - 100) }, NOW, 0)).toBe(at);
  });

  it('is told by the clock as it goes now, after a step', () => {
    expect(beganAt({ at: NOW.at - DAY, awakeMs: awakeAgo(MINUTE) }, NOW, 0)).toBe(NOW.at - MINUTE);
    expect(beganAt({ at: NOW.at + DAY, awakeMs: awakeAgo(MINUTE) }, NOW, 0)).toBe(NOW.at - MINUTE);
  });

  it('is never told earlier than it was', () => {
    expect(beganAt({ at: NOW.at - DAY, awakeMs: awakeAgo(MINUTE - 1) }, NOW, 0)).toBe(
      NOW.at - MINUTE + SECOND,
    );
  });
});
