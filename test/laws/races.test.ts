import { describe, expect, test } from 'vitest';
import { sliceOf } from '../support/slice.ts';
import { INTERVENTIONS } from './races/interventions.ts';
import { runAll } from './races/run.ts';
import { SCENES } from './races/scenes.ts';
import { hasWorlds } from './world.ts';

/** The last moment before each act, and the first after it; who comes there is the hardest to see. */
const MOMENTS: readonly (readonly [scene: string, point: string, interventions: string])[] = [
  ['shell', 'before INSERT INTO entry intent#1', 'watch hold'],
  ['shell', 'before tmux send-keys text#1', 'watch hold draft turn replace'],
  ['shell', 'before tmux send-keys Enter#1', 'watch hold draft turn copy-mode'],
  ['shell', 'before tmux kill-session#1', 'attach hold command move split'],
  ['shell', 'after tmux kill-session#1', 'killed twin'],
  ['shell', 'before INSERT INTO entry receipt#1', 'killed twin'],
  ['prompt', 'before tmux kill-session#1', 'watch draft retain rename'],
  ['due', 'before tmux kill-session#1', 'attach hold'],
];

const every = MOMENTS.flatMap(([scene, point, interventions]) =>
  interventions.split(' ').map((name) => ({
    scene: named(SCENES, scene),
    ...{ point, ahead: '' },
    intervention: named(INTERVENTIONS, name),
  })),
);
// Every moment is in it; `npm run races` plays all of them, and more.
const all = sliceOf(every, 2);

describe.skipIf(!hasWorlds)('law 3: whoever comes between two steps of a close', () => {
  test(`is left alone, in ${all.length} interleavings`, async () => {
    let results = await runAll(all, 4, () => {});
    // A close that gave up before it came there, or a scene that could not be set, on a machine that is too busy, tells
    // nothing: it is played again.
    for (const parallel of [2, 1, 1]) {
      const told = results.filter((one) => one.isReached || one.violations.length > 0);
      const missed = all.filter((one) => told.every((result) => result.one !== one));
      results = [...told, ...(await runAll(missed, parallel, () => {}))];
    }
    const stories = results.map(({ one, isReached, violations }) => ({
      at: `${one.scene.name} · ${one.intervention.name} · ${one.point}`,
      isReached,
      violations: violations.map(({ kind, text }) => `${kind}: ${text}`),
    }));
    expect(stories.filter(({ isReached, violations }) => !isReached || violations.length > 0)).toEqual([]);
    expect(stories).toHaveLength(all.length);
  });
});

function named<T extends { readonly name: string }>(list: readonly T[], name: string): T {
  const found = list.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
