import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ahead, closeDue, finished, protectionsOf, untilClosed } from './people.ts';
import { type Bystanders, hasWorlds, World } from './world.ts';

const DAY = 86_400_000;
const FORWARD = ahead({ stepMs: DAY });
const BACK = ahead({ stepMs: -DAY });
const HOURS_LATER = { passedMs: 2 * 3_600_000 };

describe.skipIf(!hasWorlds)('law 14: a step of the clock ends nothing', () => {
  let world: World;
  let bystanders: Bystanders;

  beforeEach(async () => {
    world = await World.open({ recentInput: '10m' });
    bystanders = await world.bystanders();
    await finished(world, 'target');
  });
  afterEach(async () => {
    expect(await bystanders.harmed()).toEqual([]);
    await world.close();
  });

  const retain = async (...flags: string[]) => {
    const { exitCode, stderr } = await world.ask(['retain', 'target', ...flags]);
    expect([stderr, exitCode]).toEqual(['', 0]);
  };

  test.each([
    ['forward', FORWARD],
    ['back', BACK],
  ])('S26: who was there just before a step %s is still protected', async (_, env) => {
    await (await world.attach('target')).leave();
    expect(await protectionsOf(world, 'target')).toEqual(['recent-input']);
    expect(await closeDue(world, env)).toContain('target');
    expect(await protectionsOf(world, 'target', env)).toEqual(['recent-input']);
  });

  test('S26: and no longer than the window, whatever the step', async () => {
    await (await world.attach('target')).leave();
    expect(await protectionsOf(world, 'target', BACK)).toEqual(['recent-input']);
    await untilClosed(world, 'target', ahead({ stepMs: -DAY, ...HOURS_LATER }));
  });

  test('S26: retain --for is a duration: a step forward does not end it', async () => {
    await retain('--for', '1h');
    expect(await closeDue(world, FORWARD)).toContain('target');
    expect(await protectionsOf(world, 'target', FORWARD)).toEqual(['retained']);
    await untilClosed(world, 'target', ahead({ stepMs: DAY, ...HOURS_LATER }));
  });

  test('S26: a step back does not stretch it', async () => {
    await retain('--for', '1h');
    expect(await protectionsOf(world, 'target', BACK)).toEqual(['retained']);
    await untilClosed(world, 'target', ahead({ stepMs: -DAY, ...HOURS_LATER }));
  });

  test('S26: it can be taken back after a step', async () => {
    await retain('--for', '1h');
    const released = await world.rollcall(['retain', 'target', '--release'], FORWARD);
    expect(released.stdout).toBe('target: no longer kept\n');
    await untilClosed(world, 'target', FORWARD);
  });

  test('retain --until is a date, and follows the clock', async () => {
    await retain('--until', new Date(Date.now() + 3_600_000).toISOString());
    expect(await closeDue(world)).toContain('target');
    await untilClosed(world, 'target', FORWARD);
  });

  test('S26: what a completion promised is a duration', async () => {
    world.configure({ roles: { '*': { onComplete: 'retain', retainFor: '1h' } } });
    // It has rested for longer than that, so that only the completion's own time counts.
    const rested = ahead(HOURS_LATER);
    await world.entry('target');
    expect((await world.rollcall(['complete', 'target'], rested)).exitCode).toBe(0);
    expect((await world.entry('target', rested)).lifecycle).toBe('completed-retained');
    expect(await closeDue(world, ahead({ stepMs: DAY, ...HOURS_LATER }))).toContain('target');
    const over = ahead({ stepMs: DAY, passedMs: 2 * HOURS_LATER.passedMs });
    await untilClosed(world, 'target', over);
  });
});
