import { describe, expect, test } from 'vitest';
import type { Ran } from '../support/command.ts';
import { until } from '../support/until.ts';
import { Gate } from './gate.ts';
import { inWorld, LOADED_MS, restingAgents } from './resting.ts';
import { hasWorlds, type World } from './world.ts';

describe.skipIf(!hasWorlds).concurrent('law 3: a hold that was answered is kept', () => {
  const KEEP: readonly (readonly string[])[] = [
    ['hold', 'worker', '--reason', 'mine'],
    ['retain', 'worker', '--for', '1h'],
  ];

  test.each(KEEP)('%s before the intent: nothing is done', (...argv) =>
    inWorld(async (world) => {
      const { worker: pid } = await restingAgents(world, { worker: 'leaves' });
      // Everything was looked at and decided; only the archive is being made.
      const gate = new Gate(world, 'archive', 'tmux *capture-pane*-S*');
      const closed = await gate.rollcall(['close', 'worker'], async () => {
        expect(await world.rollcall(argv)).toMatchObject({ exitCode: 0 });
      });
      expect({ isReached: gate.isReached, exitCode: closed.exitCode }).toEqual({
        isReached: true,
        exitCode: 3,
      });
      expect(world.isAlive(pid)).toBe(true);
      expect(await world.screen('=worker:')).not.toContain('/exit');
      const { stdout } = await world.ask(['log', '--json']);
      expect(stdout).not.toMatch(/"kind":\s*"intent"/);
    }),
  );

  test.each([
    ['the exit is typed', 'tmux *send-keys*-H*'],
    ['it is removed', 'tmux *kill-session*'],
  ])('right before %s: held means that it stands', (_, at) =>
    inWorld(async (world) => {
      await restingAgents(world, { worker: 'leaves' });
      const gate = new Gate(world, 'act', at);
      let holding: Promise<Ran> | null = null;
      const closed = await gate.rollcall(['close', 'worker'], async () => {
        let isOver = false;
        holding = world.rollcall(['hold', 'worker']).finally(() => {
          isOver = true;
        });
        // Whoever acts lets nobody record anything; where it does, the answer comes first.
        if (!(await isWriterHeld(world))) await holding;
        await until('somebody holds', () => isOver || world.find('hold worker') !== undefined);
      });
      const held = await (holding as Promise<Ran> | null);
      expect(gate.isReached).toBe(true);
      const stands = (await world.names()).includes('worker');
      expect({ stands, isHeld: held?.exitCode === 0 }).toEqual({ stands, isHeld: stands });
      if (stands) return;
      const stderr = expect.stringMatching(/closed (?:just now|[^,]+ ago), receipt r|no session/);
      expect(held).toMatchObject({ exitCode: 4, stderr });
      expect(closed.exitCode).toBe(0);
    }),
  );

  test('while it waits for the agent to leave: the hold wins, and says how far the close came', () =>
    inWorld(async (world) => {
      const { worker: pid } = await restingAgents(world, { worker: 'done' });
      // It was told /exit, answered "Done." and stays.
      const closing = world.rollcall(['close', 'worker']);
      await until(
        'it was told',
        () => world.screen('=worker:'),
        (screen) => screen.includes('Done.'),
        LOADED_MS,
      );
      const held = await world.rollcall(['hold', 'worker']);
      expect(held).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/close.*\/exit/s) });
      expect(await closing).toMatchObject({ exitCode: 3 });
      expect(world.isAlive(pid)).toBe(true);
      expect(await world.names()).toContain('worker');
    }));
});

/** Whether some rollcall is writing at this moment. */
async function isWriterHeld(world: World): Promise<boolean> {
  const { locks } = await world.asked<{ locks: { name: string; state: string }[] }>(['lock', 'status']);
  return locks.some(({ name, state }) => name === 'writer' && state === 'held');
}
