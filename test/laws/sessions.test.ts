import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sliceOf } from '../support/slice.ts';
import { FAULTS, plant } from './sessions/faults.ts';
import { makePlayer, type Played, play } from './sessions/play.ts';
import { hasWorlds } from './world.ts';

const SIZE = 16;

/** A batch of which rollcall is asked by name, and one with `close --due`. `npm run sessions` plays as many as you like. */
const SEEDS = ['slice-24', 'slice-45'];

/** For each planted fault a batch in which the guard is all that stands in the way. */
const FOUND_IN: Readonly<Record<keyof typeof FAULTS, string>> = {
  ...{ draft: 'slice-24', hold: 'slice-24', attached: 'slice-24', running: 'slice-24', group: 'slice-0' },
  ...{ pattern: 'slice-4', saved: 'slice-45', name: 'slice-41' },
};

describe.skipIf(!hasWorlds)('real sessions, made at random', () => {
  let player: Awaited<ReturnType<typeof makePlayer>>;
  let kept: string;

  beforeAll(async () => {
    player = await makePlayer();
    kept = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'kept-'));
  });
  afterAll(() => {
    player.remove();
    rmSync(kept, { recursive: true, force: true });
  });

  const played = async (program: string, seeds: readonly string[]): Promise<Played[]> => {
    const all: Played[] = [];
    const plans = seeds.map((seed) => ({ seed, size: SIZE }));
    await play(player.file, { program, kept, plans }, (one) => all.push(one));
    return all;
  };

  test('go or stay as they were made to be, with nothing left over and every work tree as it was', async () => {
    const all = await played(resolve('dist'), SEEDS);
    expect(all.flatMap(({ wrongs }) => wrongs)).toEqual([]);
    expect(all.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(SEEDS.length * SIZE);
    for (const { fates } of all) expect(fates.closed).toBeGreaterThan(0);
  });

  test.each(sliceOf(Object.keys(FAULTS), 7))(
    'the guard %s, taken out of the program, is missed',
    async (fault) => {
      const planted = plant(fault);
      try {
        const [one] = await played(planted.folder, [FOUND_IN[fault] ?? '']);
        expect(one?.sessions).toBe(SIZE);
        expect(one?.wrongs).not.toEqual([]);
      } finally {
        planted.remove();
      }
    },
  );
});
