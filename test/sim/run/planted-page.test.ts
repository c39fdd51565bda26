import { expect, it } from 'vitest';
import type { PlantFound } from '../planted/find-plant.ts';
import type { Plant } from '../planted/plant.ts';
import { PLANTS } from '../planted/plants.ts';
import { withPlants } from './planted-page.ts';

const [first, second] = PLANTS as readonly [Plant, Plant];
const found = (plant: Plant, played: number): PlantFound => ({
  ...{ plant, played, seconds: 9 },
  found: {
    ...{ runs: 7, file: null, lines: ['a story', 'in two lines'] },
    story: { events: [{}, {}, {}] },
    violation: { law: plant.breaks[0] },
  } as unknown as PlantFound['found'],
});
const page = (before: string, ...all: readonly PlantFound[]) => withPlants(before, all).slice(2);

it('a planted bug has a row, in the order of the bugs, however they were played', () => {
  const one = page('\nNot yet run.\n', found(second, 3));
  expect(one).toEqual([`| \`${second.name}\` | ${second.sentence} | 3 | \`${second.breaks[0]}\` | 3 / 2 |`]);
  const both = page(one.join('\n'), found(first, 8));
  expect(both).toEqual([expect.stringContaining(`| \`${first.name}\` |`), ...one]);
});

it('one that is played again has its new row only, and one that there is no more has none', () => {
  const missed = page('', { ...found(first, 200), found: null });
  expect(missed).toEqual([`| **not found** \`${first.name}\` | ${first.sentence} | not in 200 | | |`]);
  const gone = '| `no-such-bug` | does something | 1 | `a-law` | 1 / 2 |';
  expect(page([...missed, gone].join('\n'), found(first, 4))).toEqual([expect.stringContaining('| 4 |')]);
});

it('one that was found by a law that it does not break counts as not found', () => {
  const other = found(first, 5);
  expect(page('', { ...other, plant: { ...first, breaks: [] } })[0]).toMatch(/^\| \*\*not found\*\* /);
});
