import { describe, expect, it } from 'vitest';
import { type RememberedPeople, rememberPeople } from '../../../src/core/memory/remember-people.ts';
import { DAY, HOUR, MINUTE, NOW } from '../../support/evidence.ts';

const long = NOW.at - DAY;
const away = { isAttached: false, arrivals: String(long), lastAttachedAt: long };
const there = { ...away, isAttached: true };
const never = { isAttached: false, arrivals: '' };
const seen = (over: Partial<RememberedPeople> = {}): RememberedPeople => ({
  ...{ isAttached: false, arrivals: String(long), thereAwakeMs: NOW.awakeMs - HOUR },
  ...over,
});

describe('somebody may have been there', () => {
  it.each([
    ['now, who is attached', there, seen(), NOW.awakeMs],
    [
      'until now, whom the last look saw and this one does not',
      away,
      seen({ isAttached: true }),
      NOW.awakeMs,
    ],
    ['until now, who attached at a time that no look has covered', away, undefined, NOW.awakeMs],
    ['until now, who came and went since the last look', away, seen({ arrivals: '1' }), NOW.awakeMs],
    [
      'until now, who came in a session of the group that is gone',
      { ...away, arrivals: '$1:1' },
      seen({ arrivals: '$1:1 $2:2' }),
      NOW.awakeMs,
    ],
    ['as long ago as looks without anybody reach back', away, seen(), NOW.awakeMs - HOUR],
    ['never, where nobody ever attached', never, undefined, undefined],
    [
      'never, where nobody did up to the last look either',
      never,
      { isAttached: false, arrivals: '' },
      undefined,
    ],
  ])('%s', (_, reading, earlier, thereAwakeMs) => {
    expect(rememberPeople(reading, earlier, NOW).thereAwakeMs).toBe(thereAwakeMs);
  });

  it('until now, within the second that tmux tells: they may come again in it', () => {
    const just = (lastAttachedAt: number) => {
      const reading = { ...away, arrivals: String(lastAttachedAt), lastAttachedAt };
      return rememberPeople(reading, seen({ arrivals: String(lastAttachedAt) }), NOW).thereAwakeMs;
    };
    expect(just(NOW.at)).toBe(NOW.awakeMs);
    expect(just(NOW.at - 4000)).toBe(NOW.awakeMs);
    expect(just(NOW.at - 5000)).toBe(NOW.awakeMs - HOUR);
  });

  it('S26: and not for as long as a clock that went back puts them into the future', () => {
    const lastAttachedAt = NOW.at + 36_500 * DAY;
    const reading = { ...away, arrivals: String(lastAttachedAt), lastAttachedAt };
    expect(rememberPeople(reading, seen({ arrivals: reading.arrivals }), NOW).thereAwakeMs).toBe(
      NOW.awakeMs - HOUR,
    );
  });
});

it('keeps what the next look compares with', () => {
  expect(rememberPeople(there, seen(), NOW)).toEqual({
    ...{ isAttached: true, arrivals: String(long), thereAwakeMs: NOW.awakeMs },
  });
  const later = { ...NOW, at: NOW.at + MINUTE, awakeMs: NOW.awakeMs + MINUTE };
  expect(rememberPeople(away, rememberPeople(there, seen(), NOW), later).thereAwakeMs).toBe(later.awakeMs);
});
