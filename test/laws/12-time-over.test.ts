import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restingAgents } from './resting.ts';
import { hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)('law 12: time over means give up', { timeout: 90_000 }, () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  test('S43: an agent that takes longer to leave than a close may take is not sent SIGTERM', async () => {
    const bystanders = await world.bystanders();
    const { worker: pid } = await restingAgents(world, { worker: 'done' });
    const document = await world.rollcall(['close', 'worker', '--timeout', '4s', '--json']);
    const [report] = JSON.parse(document.stdout).sessions;
    expect(document.exitCode).toBe(6);
    expect(report).toMatchObject({ result: 'timed-out', text: expect.stringContaining('/exit') });
    expect(report.rungs.map(({ rung }: { rung: string }) => rung)).toEqual(['archive', 'ask']);
    expect(world.isAlive(pid)).toBe(true);
    expect(await world.names()).toContain('worker');
    const { stdout } = await world.rollcall(['log', '--json']);
    expect(stdout).toMatch(/timed-out/);
    expect(await bystanders.harmed()).toEqual([]);
  });
});
