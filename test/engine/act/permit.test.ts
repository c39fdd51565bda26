import { describe, expect, it } from 'vitest';
import type { Hands } from '../../../src/engine/act/hands.ts';
import type { ReopenResult } from '../../../src/engine/act/reopen/order.ts';
import { hindranceSince } from '../../../src/engine/act/start-in.ts';

const SOMEBODY: ReopenResult = { state: 'outlived', kind: 'claude', pids: [7] };

/** A clock that a test moves, and how often it was looked again. `each`: how long every look takes. */
function scene({ each = 0, hindrance = null }: { each?: number; hindrance?: ReopenResult | null } = {}) {
  const clock = { at: 0, awakeMs: 5_000, suspendedMs: 100 };
  let looks = 0;
  const again = async () => {
    looks += 1;
    const at = clock.awakeMs + clock.suspendedMs;
    clock.awakeMs += each;
    return { at, hindrance };
  };
  const hands = { moment: () => clock } as unknown as Hands;
  return { clock, looks: () => looks, ask: () => hindranceSince(hands, { at: 5_100, again }) };
}

describe('a look that permitted a start', () => {
  it('is good for a second', async () => {
    const { clock, looks, ask } = scene({ hindrance: SOMEBODY });
    clock.awakeMs += 1_000;
    expect([await ask(), looks()]).toEqual([null, 0]);
  });

  it.each(['awakeMs', 'suspendedMs'] as const)('is repeated after that, by %s', async (name) => {
    const found = scene({ hindrance: SOMEBODY });
    found.clock[name] += 1_001;
    expect([await found.ask(), found.looks()]).toEqual([SOMEBODY, 1]);
    const free = scene();
    free.clock[name] += 1_001;
    expect([await free.ask(), free.looks()]).toEqual([null, 1]);
  });

  it('may take its time on a loaded machine', async () => {
    const { clock, looks, ask } = scene({ each: 9_000 });
    clock.awakeMs += 5_000;
    expect([await ask(), looks()]).toEqual([null, 3]);
  });

  it('permits nothing where it was stopped each time', async () => {
    const { clock, looks, ask } = scene({ each: 60_000 });
    clock.awakeMs += 5_000;
    expect(await ask()).toMatchObject({ state: 'failed', hint: 'nothing was started; try again' });
    expect(looks()).toBe(3);
  });
});
