import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { type Bystanders, type SeenEntry, World } from './world.ts';

/** For conditions that a loaded machine takes its time for. */
export const LOADED_MS = 60_000;

/** Starts scripted agents whose panes remain when they leave, and waits until all of them may be closed; their pids. */
export async function restingAgents<N extends string>(
  world: World,
  manners: Readonly<Record<N, string>>,
): Promise<Readonly<Record<N, number>>> {
  const pids: [string, number][] = [];
  for (const [name, manner] of Object.entries<string>(manners)) {
    await world.tmux(
      ...['new-session', '-d', '-x', '120', '-y', '30', '-s', name, ...world.agents.argv(name, manner)],
      ...[';', 'set-option', '-w', '-t', `=${name}:`, 'remain-on-exit', 'on'],
    );
    pids.push([name, await world.agents.pid(name)]);
    await world.ask(['complete', name]);
  }
  const names = new Set(pids.map(([name]) => name));
  await until(
    'they may be closed',
    async () =>
      (await world.asked<{ sessions: SeenEntry[] }>([])).sessions.filter(({ name }) => names.has(name)),
    (seen) =>
      seen.length === names.size &&
      seen.every(({ lifecycle }) => lifecycle === 'safe-to-close' || lifecycle === 'stale'),
    LOADED_MS,
  );
  return Object.fromEntries(pids) as Record<N, number>;
}

/** Does something in a world of its own, with innocents that must be as they were at its end. */
export async function inWorld(work: (world: World, bystanders: Bystanders) => Promise<void>): Promise<void> {
  const world = await World.open();
  try {
    const bystanders = await world.bystanders();
    await work(world, bystanders);
    expect(await bystanders.harmed()).toEqual([]);
  } finally {
    await world.close();
  }
}
