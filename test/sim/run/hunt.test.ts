import { describe, expect, it } from 'vitest';
import { findPlant, isFound, plantText } from '../planted/find-plant.ts';
import type { Plant } from '../planted/plant.ts';
import { planted } from '../planted/planting.ts';
import type { StoryEvent } from '../story/story.ts';
import { hunt, newTally, timesRealTime } from './hunt.ts';
import { type Job, type World, work } from './job.ts';

/** A toy world in which everything goes well until a certain seed. */
function toyWorld(brokenFrom: number): World {
  return {
    story: (seed, { sessions, hours }) => ({
      ...{ seed, sessions, hours, config: {} },
      events: Array.from({ length: 60 }, (_, at): StoryEvent => ({ at, kind: 'grow', by: seed })),
    }),
    run: async ({ seed, hours, sessions, events }) => {
      const isBroken = seed >= brokenFrom && events.length > 2;
      const violation = { law: 'small', sentence: 'nothing is large', at: 2, text: 'it is large', trace: [] };
      const counted = {
        steps: events.length,
        sessionHours: hours * sessions,
        stats: { grown: events.length },
      };
      return { hash: `${seed}`, ...counted, violation: isBroken ? violation : null };
    },
  };
}

const crewOf = (world: World, size = 2) => ({
  size,
  do: async (job: Job) => work(world, JSON.parse(JSON.stringify(job))),
  end() {},
});

const SCALE = { sessions: 5, hours: 10 };

describe('a hunt', () => {
  it('plays every seed once, and counts', async () => {
    const tally = newTally();
    await hunt(crewOf(toyWorld(1000)), { first: 7, seeds: 20, scale: SCALE, keepGoing: false }, tally);
    expect([...tally.hashes.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 7),
    );
    expect(tally).toMatchObject({ seeds: 20, sessionHours: 1000, hours: 200, steps: 1200, broken: [] });
    expect(tally.stats.get('grown')).toBe(1200);
    expect(timesRealTime({ hours: 2, tookMs: 720 })).toBe(10_000);
  });

  it('stops at the first broken law, unless it is to go on', async () => {
    for (const keepGoing of [false, true]) {
      const tally = newTally();
      await hunt(crewOf(toyWorld(5)), { first: 1, seeds: 20, scale: SCALE, keepGoing }, tally);
      expect(tally.broken[0]?.story.seed).toBe(5);
      expect(tally.seeds).toBe(keepGoing ? 20 : tally.seeds);
      expect(tally.broken.length === 16).toBe(keepGoing);
    }
  });
});

describe('a planted bug', () => {
  const plant: Plant = { name: 'large', sentence: 'it grows', edits: [], breaks: ['small'] };

  it('is found in the first world that shows it, and told in a few lines', async () => {
    const one = await findPlant(crewOf(toyWorld(3)), plant, { scale: SCALE, seeds: 10 });
    expect(one).toMatchObject({ played: 3, found: { violation: { law: 'small' } } });
    expect(one.found?.story.events).toHaveLength(3);
    expect(isFound(one)).toBe(true);
    expect(plantText(one, false)).toContain('✓ large');
  });

  it('is not found where no law is broken, or only another one', async () => {
    const none = await findPlant(crewOf(toyWorld(11)), plant, { scale: SCALE, seeds: 10 });
    expect([isFound(none), plantText(none, false)]).toEqual([
      false,
      expect.stringContaining('not found in 10'),
    ]);
    const other = await findPlant(
      crewOf(toyWorld(3)),
      { ...plant, breaks: ['other'] },
      { scale: SCALE, seeds: 10 },
    );
    expect(isFound(other)).toBe(false);
  });

  it('is planted only where its place is found exactly once', () => {
    const edit = { file: 'a.ts', text: 'if (held)', becomes: 'if (false)' };
    expect(planted('x; if (held) y;', [edit])).toBe('x; if (false) y;');
    expect(() => planted('x;', [edit])).toThrow('0 times in a.ts');
    expect(() => planted('if (held) if (held)', [edit])).toThrow('2 times');
  });
});
