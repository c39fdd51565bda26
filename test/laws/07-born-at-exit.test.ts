import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)('law 7: what the exit itself started is told, never ended', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  test.each([
    ['asked', []],
    ['forced', ['--force']],
  ])('%s: a hook that saves in a session of its own lives on', async (_, flags) => {
    const bystanders = await world.bystanders();
    await world.session('saver', ...world.agents.argv('saver', 'saves'));
    await world.agents.pid('saver');
    await world.complete('saver');
    const { sessions } = await world.json<{ sessions: [{ receipt: { survivors: { pid: number }[] } }] }>([
      ...['close', 'saver', ...flags],
    ]);
    const saving = world.find(`until [ -e "$0.go" ]`);
    expect(sessions[0].receipt.survivors.map(({ pid }) => pid)).toContain(saving?.pid);
    writeFileSync(`${world.agents.file('saver')}.go`, '');
    await until('it has saved', () => existsSync(`${world.agents.file('saver')}.saved`));
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('what saves in the terminal keeps it until it has', async () => {
    const bystanders = await world.bystanders();
    const agent = world.agents.argv('saver', 'lasts').join(' ');
    await world.session('saver', 'sh', '-c', `${agent}; exec bash --norc --noprofile -i`);
    await world.agents.pid('saver');
    await world.complete('saver');
    const { exitCode, stdout } = await world.rollcall(['close', 'saver']);
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('began while it was closed')]);
    expect((await world.entry('saver')).name).toBe('saver');
    writeFileSync(`${world.agents.file('saver')}.go`, '');
    await until('it has saved', () => existsSync(`${world.agents.file('saver')}.saved`));
    expect(await bystanders.harmed()).toEqual([]);
  });
});
