import { describe, expect, test } from 'vitest';
import { inWorld, restingAgents } from './resting.ts';
import { hasWorlds } from './world.ts';

describe.skipIf(!hasWorlds)('law 12: time over means give up', () => {
  test('S43: an agent that takes longer to leave than a close may take is not sent SIGTERM', () =>
    inWorld(async (world) => {
      const { worker: pid } = await restingAgents(world, { worker: 'done' });
      const { exitCode, stdout } = await world.rollcall(['close', 'worker', '--timeout', '4s', '--json']);
      const [report] = JSON.parse(stdout).sessions;
      expect(exitCode).toBe(6);
      expect(report).toMatchObject({ result: 'timed-out', receipt: null });
      expect(report.rungs.map(({ rung }: { rung: string }) => rung)).not.toContain('terminate');
      expect(world.isAlive(pid)).toBe(true);
      expect(await world.names()).toContain('worker');
    }));
});
