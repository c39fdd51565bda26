import { describe, expect, it } from 'vitest';
import { PROVOKED } from '../planted/provoked.ts';
import { makeStory } from '../story/make/make-story.ts';
import { WORLD } from './world.ts';

/** `npm run sim` plays many more of them, and longer ones. */
const SEEDS = [1, 4];
const SCALE = { sessions: 3, hours: 0.5 };

const played = (seed: number, hours = SCALE.hours) =>
  WORLD.run({ ...makeStory(seed, { ...SCALE, hours }), calmHours: hours / 4 });

describe('no law is broken', () => {
  it.each(SEEDS)('in the world of seed %i', async (seed) => {
    const { violation, sessionHours } = await played(seed);
    expect(violation && [violation.text, ...violation.trace].join('\n')).toBeNull();
    expect(sessionHours).toBeGreaterThan(0.5);
  });

  // With the bug planted each of them breaks one: `npm run sim -- --planted --provoked`.
  it.each(Object.entries(PROVOKED).filter(([, { calmHours }]) => calmHours === 0))(
    'in the story of %s',
    async (_, story) => {
      const { violation } = await WORLD.run(story);
      expect(violation && [violation.text, ...violation.trace].join('\n')).toBeNull();
    },
  );
});

it('the same seed makes the same world, and another seed another', async () => {
  const hashes = [];
  for (const seed of [2, 2, 3]) hashes.push((await played(seed, 0.1)).hash);
  expect(hashes[0]).toBe(hashes[1]);
  expect(hashes[0]).not.toBe(hashes[2]);
});
