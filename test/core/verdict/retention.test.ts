import { describe, expect, it } from 'vitest';
import { keptUntil } from '../../../src/core/verdict/retention.ts';
import { DAY, HOUR, MINUTE, NOW } from '../../support/evidence.ts';

const kept = { at: NOW.at - MINUTE, until: NOW.at + HOUR - MINUTE, forMs: HOUR };
const awakeMs = NOW.awakeMs - MINUTE;

describe('a session is kept', () => {
  it('until a date, by the clock as it goes now', () => {
    const { forMs: _, ...dated } = kept;
    expect(keptUntil(dated, { ...NOW, at: NOW.at + DAY })).toBe(kept.until);
    expect(keptUntil({ ...dated, until: null }, NOW)).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    ['as the clock goes', 0],
    ['S26: whatever a step forward says', DAY],
    ['S26: whatever a step back says', -DAY],
  ])('for a time, %s', (_, stepMs) => {
    const now = { ...NOW, at: NOW.at + stepMs };
    expect(keptUntil({ ...kept, awakeMs }, now) - now.at).toBe(HOUR - MINUTE);
  });

  it('for a time, which does not go by while the machine sleeps', () => {
    const now = { at: NOW.at + DAY, awakeMs: NOW.awakeMs, suspendedMs: DAY };
    expect(keptUntil({ ...kept, awakeMs }, now) - now.at).toBe(HOUR - MINUTE);
  });

  it('for a time that another boot noted, from the start of this one', () => {
    const now = { ...NOW, awakeMs: MINUTE };
    expect(keptUntil({ ...kept, awakeMs }, now) - now.at).toBe(HOUR - MINUTE);
  });

  it('until its date where nobody noted the awake clock', () => {
    expect(keptUntil(kept, NOW)).toBe(kept.until);
  });
});
