import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)('a world of its own', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  test('has people and processes that nobody outside sees, and ends with all of them', async () => {
    const bystanders = await world.bystanders();
    expect(await bystanders.harmed()).toEqual([]);
    await world.session('mine');
    expect((await world.entry('mine')).activity).toBe('none');
    expect((await world.entry('bystander-person')).protections.map(({ code }) => code)).toContain('attached');
    await world.tmux('kill-session', '-t', '=bystander-works');
    const harmed = await until('it is seen', bystanders.harmed, (found) => found.length === 2);
    expect(harmed).toEqual(['bystander-works', 'process of works']);
  });
});
