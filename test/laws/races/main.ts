import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Interleaving } from './interleave.ts';
import { INTERVENTIONS } from './interventions.ts';
import { Journal, nameOf } from './journal.ts';
import { interleavings, mixed, pointsOf } from './plan.ts';
import { page, story } from './report.ts';
import { runAll } from './run.ts';
import { SCENES } from './scenes.ts';

/** Stops the built program between its steps, lets something happen there, and tells what it did wrong. */
export async function races(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      scenes: { type: 'string' },
      interventions: { type: 'string' },
      /** Only points whose address holds this text. */
      point: { type: 'string', default: '' },
      /** Points of each scene for each intervention. */
      points: { type: 'string', default: '15' },
      limit: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      list: { type: 'boolean', default: false },
      /** Keeps what was played, and leaves out what it has of the same sources. */
      journal: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const interventions = chosen(INTERVENTIONS, values.interventions);
  const planned: Interleaving[] = [];
  for (const scene of chosen(SCENES, values.scenes)) {
    const points = await pointsOf(scene);
    console.log(`${scene.name}: ${points.length} points`);
    if (values.list) for (const { point, ahead } of points) console.log(`  ${ahead.padEnd(10)} ${point}`);
    const meant = points.filter(({ point }) => point.includes(values.point));
    planned.push(...interleavings(scene, meant, interventions, Number(values.points)));
  }
  if (values.list) return 0;
  const journal = new Journal(values.journal);
  const before = journal.read();
  const known = new Set(before.map(({ one }) => nameOf(one)));
  const all = mixed(planned)
    .filter((one) => !known.has(nameOf(one)))
    .slice(0, Number(values.limit ?? Number.POSITIVE_INFINITY));
  if (before.length > 0) console.log(`${before.length} were played before`);
  const startedAt = performance.now();
  const minutes = () => (performance.now() - startedAt) / 60_000;
  let done = 0;
  let broken = 0;
  const results = await runAll(all, Number(values.jobs), (result) => {
    done += 1;
    journal.note(result);
    if (result.violations.length > 0) {
      broken += 1;
      console.log(story(result));
    }
    if (done % 50 === 0)
      console.log(`… ${done} of ${all.length}, ${broken} broken, ${minutes().toFixed(1)} min`);
  });
  const text = page([...before, ...results]);
  console.log(text);
  console.log(`${results.filter(({ isReached }) => !isReached).length} points were not reached`);
  if (values.write) writeFileSync('docs/RACES.md', text);
  return broken === 0 ? 0 : 1;
}

function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  words: string | undefined,
): readonly T[] {
  const names = words?.split(',');
  const unknown = names?.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Error(`no ${unknown}; there are ${all.map(({ name }) => name).join(', ')}`);
  return all.filter(({ name }) => names?.includes(name) ?? true);
}
