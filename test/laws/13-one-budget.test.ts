import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, World } from './world.ts';

const ALWAYS_PRESSED = {
  pressure: { critical: { after: '0s', available: 40 } },
  reaper: { idleAfter: '1s', confirm: '1s', grace: '1s', settle: '1s', perHour: 1, prefer: 'close' },
};

describe.skipIf(!hasWorlds)('law 13: the reaper has one budget', () => {
  let world: World;
  let bystanders: Awaited<ReturnType<World['bystanders']>>;

  beforeEach(async () => {
    world = await World.open(ALWAYS_PRESSED);
    bystanders = await world.bystanders();
    // Nothing in this world is short of memory; the kernel only says so.
    const meminfo = join(world.folder, 'meminfo');
    writeFileSync(meminfo, 'MemTotal: 16000000 kB\nMemFree: 100000 kB\nMemAvailable: 100000 kB\n');
    expect((await world.run(['mount', '--bind', meminfo, '/proc/meminfo'])).exitCode).toBe(0);
    for (const name of ['A', 'B']) {
      const ran = await world.ask(['run', '--name', name, '--', ...world.agents.argv(name, 'leaves')]);
      expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
      await world.agents.pid(name);
    }
    expect((await world.ask(['reap', 'mode', 'enforce'])).exitCode).toBe(0);
  });
  afterEach(async () => {
    expect(await bystanders.harmed()).toEqual([]);
    await world.close();
  });

  const reapNow = (env: NodeJS.ProcessEnv = {}) => world.rollcall(['reap', 'now'], env);
  const planned = async (env: NodeJS.ProcessEnv = {}) =>
    (await world.rollcall(['reap', 'now', '--dry-run'], env)).stdout;
  const left = async () => (await world.names()).filter((name) => name === 'A' || name === 'B').length;

  test('S49: whatever the runtime folder of whoever asks is', async () => {
    await until(
      'both have rested',
      () => planned(),
      (text) => text.includes('2 sessions could go'),
    );
    // On a slow machine it may pass one by that was not seen at rest.
    const reaped = async () => [(await reapNow()).stdout, await left()] as const;
    await until('one is gone', reaped, ([, count]) => count === 1);
    await reapNow({ XDG_RUNTIME_DIR: '' });
    expect(await left()).toBe(1);
    for (const runtime of ['', 'relative', world.folder]) {
      expect(await planned({ XDG_RUNTIME_DIR: runtime })).toContain('1 of 1 closes of this hour are used');
    }
  });

  test('a budget that is damaged allows nothing, however old the damage is', async () => {
    const path = join(world.stateFolder, 'reaps.json');
    writeFileSync(path, 'garbage', { mode: 0o600 });
    await world.run(['touch', '-d', '2 days ago', path]);
    await reapNow();
    expect(await left()).toBe(2);
    expect(await planned()).toContain('reaps.json');
    expect(readFileSync(path, 'utf8')).toBe('garbage');
  });
});
