import { isFound, type PlantFound } from '../planted/find-plant.ts';
import { PLANTS } from '../planted/plants.ts';

const HEAD = [
  '| planted bug | what it does | found in world | by the law | events / lines of the story |',
  '|---|---|---:|---|---:|',
];
const NAME = /^\| (?:\*\*not found\*\* )?`([a-z-]+)` \|/;

/** The part of the page with these planted bugs; a row of one that was played before stays until it is played again. */
export function withPlants(before: string, found: readonly PlantFound[]): string[] {
  const rows = new Map(before.split('\n').flatMap((line) => nameIn(line).map((name) => [name, line])));
  for (const one of found) rows.set(one.plant.name, rowOf(one));
  return [...HEAD, ...PLANTS.flatMap(({ name }) => rows.get(name) ?? [])];
}

function nameIn(line: string): string[] {
  return NAME.exec(line)?.slice(1) ?? [];
}

function rowOf(one: PlantFound): string {
  const { plant, played, found } = one;
  const told =
    found === null
      ? `not in ${played} | |`
      : `${played} | \`${found.violation.law}\` | ${found.story.events.length} / ${found.lines.length}`;
  return `| ${isFound(one) ? '' : '**not found** '}\`${plant.name}\` | ${plant.sentence} | ${told} |`;
}
