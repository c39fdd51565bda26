import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, type Inhabitant, World } from './world.ts';

describe.skipIf(!hasWorlds)('law 10: a child that is no known helper stands against closing', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  /** An idle agent that behaves so, under rollcall's care. */
  async function idle(manner: string): Promise<number> {
    await world.session('worker', ...world.agents.argv('worker', manner));
    const pid = await world.agents.pid('worker');
    await world.complete('worker');
    return pid;
  }

  test('S21: an agent that says idle while its child runs is not closed, and the child is named', async () => {
    const bystanders = await world.bystanders();
    const agent = await idle('leaves+child');
    const isChild = ({ ppid, argv }: Inhabitant) => ppid === agent && argv[0] === 'sleep';
    const child = await until('it runs', () => world.processes().find(isChild));
    const { blockers } = await world.entry('worker');
    expect(blockers).toContainEqual({
      code: 'nothing-running',
      kind: 'would-lose',
      text: expect.stringContaining(`sleep (pid ${child?.pid})`),
    });
    expect((await world.rollcall(['close', 'worker'])).exitCode).toBe(3);
    expect((await world.rollcall(['close', '--due'])).stdout).toBe('nothing is due\n');
    expect([world.isAlive(agent), world.isAlive(child?.pid ?? 0)]).toEqual([true, true]);
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('nor is it closed while a child only has the name of a helper', async () => {
    const agent = await idle('leaves+namesake');
    const isChild = ({ argv }: { argv: readonly string[] }) => argv[0] === 'mcp-server-files';
    const child = await until('it runs', () => world.processes().find(isChild));
    const { blockers } = await world.entry('worker');
    const text = expect.stringContaining(`mcp-server-files (pid ${child?.pid})`);
    expect(blockers).toContainEqual({ code: 'nothing-running', kind: 'would-lose', text });
    expect((await world.rollcall(['close', 'worker'])).exitCode).toBe(3);
    expect([world.isAlive(agent), world.isAlive(child?.pid ?? 0)]).toEqual([true, true]);
  });

  test('its MCP servers do not, and go with it', async () => {
    const agent = await idle('leaves+helper');
    const isHelper = ({ argv }: { argv: readonly string[] }) => argv[0] === 'mcp-server-files';
    const helper = await until('it runs', () => world.processes().find(isHelper));
    expect((await world.rollcall(['close', 'worker'])).exitCode).toBe(0);
    expect([world.isAlive(agent), world.isAlive(helper?.pid ?? 0)]).toEqual([false, false]);
  });
});
