import { describe, expect, it } from 'vitest';
import { byWorstFirst } from '../../../src/core/verdict/rank.ts';
import type { Activity, Lifecycle } from '../../../src/core/verdict/verdict.ts';
import { ACTIVITIES, LIFECYCLES } from '../../../src/core/verdict/verdict.ts';

const entry = (lifecycle: Lifecycle, activity: Activity, over = {}) => ({
  lifecycle,
  activity,
  since: 0,
  name: 'a',
  key: 'k',
  ...over,
});

describe('the roll, worst first', () => {
  it('puts a session that waits for a person behind what is stuck and before what is unknown', () => {
    const roll = [
      entry('active', 'working'),
      entry('active', 'waiting'),
      entry('safe-to-close', 'idle'),
      entry('unknown', 'unknown'),
      entry('stale', 'idle'),
      entry('lost', 'unknown'),
    ];
    expect(roll.sort(byWorstFirst).map((one) => `${one.activity}/${one.lifecycle}`)).toEqual([
      'unknown/lost',
      'idle/stale',
      'waiting/active',
      'unknown/unknown',
      'idle/safe-to-close',
      'working/active',
    ]);
  });

  it('then goes by age, name and key, so that the order never depends on how sessions came in', () => {
    const roll = [
      entry('stale', 'idle', { since: 2 }),
      entry('stale', 'idle', { name: 'b' }),
      entry('stale', 'idle', { key: 'l' }),
      entry('stale', 'idle'),
      entry('stale', 'exited', { since: -1 }),
    ];
    expect(
      roll.sort(byWorstFirst).map(({ activity, since, name, key }) => [activity, since, name, key]),
    ).toEqual([
      ['idle', 0, 'a', 'k'],
      ['idle', 0, 'a', 'l'],
      ['idle', 0, 'b', 'k'],
      ['idle', 2, 'a', 'k'],
      ['exited', -1, 'a', 'k'],
    ]);
    expect(byWorstFirst(entry('stale', 'idle'), entry('stale', 'idle'))).toBe(0);
  });

  it('compares every lifecycle and activity consistently', () => {
    const all = LIFECYCLES.flatMap((lifecycle) => ACTIVITIES.map((activity) => entry(lifecycle, activity)));
    for (const a of all) {
      for (const b of all) expect(Math.sign(byWorstFirst(a, b)) + Math.sign(byWorstFirst(b, a))).toBe(0);
    }
  });
});
